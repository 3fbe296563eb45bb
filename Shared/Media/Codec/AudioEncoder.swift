import COpus

/// Encodes mono 16-bit samples at the codec's `sampleRate`. Owned by one thread at a time; frees its Opus state with itself.
public final class AudioEncoder {
    public let codec: AudioCodec
    private var opus: OpaquePointer?

    /// Throws when libopus has no memory for its state.
    public init(_ codec: AudioCodec) throws(CodecError) {
        self.codec = codec
        guard codec == .opus else { return }
        var error: Int32 = 0
        opus = opus_encoder_create(Int32(codec.sampleRate), 1, OPUS_APPLICATION_VOIP, &error)
        guard opus != nil, error == OPUS_OK else { throw CodecError.outOfMemory }
    }

    deinit {
        if let opus { opus_encoder_destroy(opus) }
    }

    /// Encodes a frame (20 ms for Opus) into `packet` from `offset` on; the payload's length, nil when it has no room or libopus
    /// refuses the frame.
    public func encode(_ samples: Span<Int16>, into packet: inout [UInt8], at offset: Int) -> Int? {
        guard codec == .opus || packet.count - offset >= samples.count else { return nil }
        switch codec {
        case .pcmu:
            for index in 0..<samples.count { packet[offset + index] = G711.encodeMuLaw(samples[index]) }
            return samples.count
        case .pcma:
            for index in 0..<samples.count { packet[offset + index] = G711.encodeALaw(samples[index]) }
            return samples.count
        case .opus:
            guard let opus, offset < packet.count else { return nil }
            let count = samples.withUnsafeBufferPointer { pcm in
                packet.withUnsafeMutableBufferPointer {
                    opus_encode(
                        opus, pcm.baseAddress!, Int32(pcm.count), $0.baseAddress! + offset, Int32($0.count - offset))
                }
            }
            return count > 0 ? Int(count) : nil
        }
    }
}

/// A codec could not be set up.
public enum CodecError: Error, Sendable, Equatable {
    case outOfMemory
}
