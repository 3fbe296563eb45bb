/// A session description (RFC 8866): what one side offers or answers for a call's media.
///
/// Parsing is lenient where RFC 3264 peers are known to differ (bare LF, unknown lines, missing `t=`) and strict where a
/// mistake would send audio to the wrong place. Lines that are not understood are dropped.
public struct SessionDescription: Sendable, Equatable {
    public var origin: SDPOrigin
    /// `s=`; a single dash when there is none.
    public var sessionName: String
    /// The session-wide `c=`; each medium may have its own.
    public var connection: SDPConnection?
    public var attributes: [SDPAttribute]
    public var media: [MediaDescription]

    public init(
        origin: SDPOrigin, sessionName: String = "-", connection: SDPConnection? = nil,
        attributes: [SDPAttribute] = [], media: [MediaDescription] = []
    ) {
        self.origin = origin
        self.sessionName = sessionName
        self.connection = connection
        self.attributes = attributes
        self.media = media
    }

    /// The largest text that is looked at, in bytes.
    public static let maximumBytes = 65_536
    /// The most `m=` lines that are looked at.
    public static let maximumMedia = 32

    /// Where a medium's packets are to be sent, nil when neither the medium nor the session says.
    public func connection(of medium: MediaDescription) -> SDPConnection? {
        medium.connection ?? connection
    }

    /// A medium's direction: its own attribute, else the session's, else `sendrecv`.
    public func direction(of medium: MediaDescription) -> MediaDirection {
        medium.direction ?? MediaDirection(attributes: attributes) ?? .sendReceive
    }

    /// The first audio medium that is wanted (its port is not 0) and speaks plain RTP.
    public var firstAudio: MediaDescription? {
        media.first { $0.isPlainAudio }
    }

    /// The codecs of the first audio medium that this product knows, in the offer's order of preference.
    public var knownCodecs: [AudioCodec] {
        guard let audio = media.first(where: { $0.kind == "audio" && $0.port != 0 }) else { return [] }
        return audio.payloadFormats.compactMap(\.codec)
    }

    /// Whether a call with this offer can be answered at all: some audio codec of ours is in it.
    public var hasCommonCodec: Bool { !knownCodecs.isEmpty }
}
