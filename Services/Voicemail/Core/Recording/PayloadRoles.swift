package import Media

/// What the payload types of a caller's packets stand for.
package struct PayloadRoles: Sendable, Equatable {
    package enum Role: Sendable, Equatable {
        case audio(AudioCodec)
        /// Keys (RFC 4733).
        case event
        /// The caller is silent until its next audio (RFC 3389).
        case comfortNoise
    }

    private let codec: AudioCodec
    private let audio: Int
    private let event: Int?

    /// - Parameters:
    ///   - audio: the payload type of the codec.
    ///   - event: that of telephone events, when they were agreed.
    package init(codec: AudioCodec, audio: Int, event: Int?) {
        self.codec = codec
        self.audio = audio
        self.event = event
    }

    package init(_ audio: NegotiatedAudio) {
        self.init(codec: audio.codec, audio: audio.payloadType, event: audio.eventPayloadType)
    }

    /// Nil for what means nothing here.
    package subscript(_ payloadType: UInt8) -> Role? {
        let number = Int(payloadType)
        if number == audio { return .audio(codec) }
        if number == event { return .event }
        // RFC 3551's fixed numbers: senders of G.711 change between its laws, and send comfort noise, also unasked.
        guard codec != .opus else { return nil }
        switch number {
        case 0: return .audio(.pcmu)
        case 8: return .audio(.pcma)
        case 13: return .comfortNoise
        default: return nil
        }
    }
}
