import COpus

/// Decodes one stream of a codec to mono 16-bit samples at the codec's `sampleRate`.
///
/// Owned by one thread at a time; frees its Opus state with itself.
public final class AudioDecoder {
    public let codec: AudioCodec
    private var opus: OpaquePointer?

    /// The most samples one packet may decode to: 120 ms of Opus (RFC 6716 section 3.2), 300 ms of G.711.
    public static func maximumSamples(_ codec: AudioCodec) -> Int {
        codec.sampleRate * (codec == .opus ? 120 : 300) / 1_000
    }

    /// Throws when libopus has no memory for its state.
    public init(_ codec: AudioCodec) throws(CodecError) {
        self.codec = codec
        guard codec == .opus else { return }
        var error: Int32 = 0
        opus = opus_decoder_create(Int32(codec.sampleRate), 1, &error)
        guard opus != nil, error == OPUS_OK else { throw CodecError.outOfMemory }
    }

    deinit {
        if let opus { opus_decoder_destroy(opus) }
    }

    /// Samples a payload will decode to, without decoding it; nil when it is not of the codec.
    public func sampleCount(_ payload: Span<UInt8>) -> Int? {
        guard let opus else { return payload.count }
        guard !payload.isEmpty else { return nil }
        let count = payload.withUnsafeBufferPointer {
            opus_decoder_get_nb_samples(opus, $0.baseAddress!, Int32($0.count))
        }
        return count > 0 ? Int(count) : nil
    }

    /// Decodes a payload into `samples`, which must hold `maximumSamples`; nil when it is not of the codec.
    /// - Parameter sent: the payload's own codec where a sender of G.711 changes between the two laws; nil: `codec`.
    public func decode(_ payload: Span<UInt8>, as sent: AudioCodec? = nil, into samples: inout [Int16]) -> Int? {
        switch sent ?? codec {
        case .pcmu: return G711.decode(payload, table: G711.muLawSamples, into: &samples)
        case .pcma: return G711.decode(payload, table: G711.aLawSamples, into: &samples)
        case .opus:
            guard let opus, !payload.isEmpty else { return nil }
            let capacity = Int32(samples.count)
            let count = payload.withUnsafeBufferPointer { bytes in
                samples.withUnsafeMutableBufferPointer {
                    opus_decode(opus, bytes.baseAddress!, Int32(bytes.count), $0.baseAddress!, capacity, 0)
                }
            }
            return count > 0 ? Int(count) : nil
        }
    }
}
