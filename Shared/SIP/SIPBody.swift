/// A message body with its media type.
public struct SIPBody: Hashable, Sendable, Codable {
    /// Media type in lower case without parameters, e.g. `application/sdp`.
    public var contentType: String
    public var bytes: [UInt8]

    public init(contentType: String, bytes: [UInt8]) {
        self.contentType = contentType
        self.bytes = bytes
    }

    /// A session description (`application/sdp`).
    public static func sdp(_ bytes: [UInt8]) -> SIPBody { SIPBody(contentType: "application/sdp", bytes: bytes) }

    public static func sdp(_ text: String) -> SIPBody { .sdp(Array(text.utf8)) }
}
