/// A short WAV held in memory: greetings and prompts.
public struct WAVAudio: Sendable, Equatable {
    public var format: WAVFormat
    /// Interleaved when there are two channels.
    public var samples: [Int16]

    public init(format: WAVFormat, samples: [Int16]) {
        self.format = format
        self.samples = samples
    }

    public var duration: Duration {
        .seconds(1) * Double(samples.count / format.channels) / Double(format.sampleRate)
    }

    public var bytes: [UInt8] {
        var bytes = format.header(dataBytes: samples.count * 2)
        bytes.reserveCapacity(bytes.count + samples.count * 2)
        for sample in samples { bytes.append(littleEndian: UInt16(bitPattern: sample)) }
        return bytes
    }

    /// Reads a RIFF WAVE file of 16-bit PCM, one or two channels, 8,000 to 48,000 Hz. Chunks that are not needed are skipped; a
    /// data chunk that claims more than there is, or 0 as a stream writer leaves it, ends with the file.
    public init(parsing bytes: [UInt8]) throws(WAVError) {
        guard bytes.count >= 12, bytes.tag(at: 0) == "RIFF", bytes.tag(at: 8) == "WAVE" else { throw .notWAV }
        var format: WAVFormat?
        var offset = 12
        while offset + 8 <= bytes.count {
            let tag = bytes.tag(at: offset)
            let size = Int(bytes.littleEndian32(at: offset + 4))
            let body = offset + 8
            if tag == "fmt " {
                guard size >= 16, body + 16 <= bytes.count else { throw .malformed }
                format = try Self.format(bytes, at: body, size: size)
            } else if tag == "data" {
                guard let format else { throw .malformed }
                let available = bytes.count - body
                let length = size == 0 || size > available ? available : size
                self.init(format: format, samples: Self.samples(bytes, at: body, length: length, format: format))
                return
            }
            offset = body + size + size % 2
        }
        throw .malformed
    }

    private static func format(_ bytes: [UInt8], at body: Int, size: Int) throws(WAVError) -> WAVFormat {
        var code = bytes.littleEndian16(at: body)
        // WAVE_FORMAT_EXTENSIBLE: the real code begins the sub-format's GUID.
        if code == 0xFFFE, size >= 26, body + 26 <= bytes.count { code = bytes.littleEndian16(at: body + 24) }
        let channels = Int(bytes.littleEndian16(at: body + 2))
        let rate = Int(bytes.littleEndian32(at: body + 4))
        let bits = bytes.littleEndian16(at: body + 14)
        guard code == 1, bits == 16, (1...2).contains(channels), (8_000...48_000).contains(rate) else {
            throw .unsupported
        }
        return WAVFormat(sampleRate: rate, channels: channels)
    }

    private static func samples(_ bytes: [UInt8], at body: Int, length: Int, format: WAVFormat) -> [Int16] {
        let frames = length / (2 * format.channels)
        return (0..<frames * format.channels).map { Int16(bitPattern: bytes.littleEndian16(at: body + 2 * $0)) }
    }

    /// The same audio in one channel at another rate.
    public func converted(to sampleRate: Int) -> WAVAudio {
        let mono = format.channels == 2 ? mixedDown : samples
        return WAVAudio(
            format: WAVFormat(sampleRate: sampleRate),
            samples: Resampler.resample(mono, from: format.sampleRate, to: sampleRate))
    }

    /// The mean of the two channels.
    private var mixedDown: [Int16] {
        (0..<samples.count / 2).map { frame in
            let left = Int(samples[2 * frame])
            let right = Int(samples[2 * frame + 1])
            return Int16((left + right) / 2)
        }
    }
}

/// Why bytes are not a usable WAV.
public enum WAVError: Error, Sendable, Equatable {
    case notWAV
    case malformed
    /// Not 16-bit PCM, more than two channels, or a rate outside 8,000 to 48,000 Hz.
    case unsupported
}

extension [UInt8] {
    func tag(at offset: Int) -> String {
        String(decoding: self[offset..<offset + 4], as: UTF8.self)
    }

    func littleEndian16(at offset: Int) -> UInt16 {
        UInt16(self[offset]) | UInt16(self[offset + 1]) << 8
    }

    func littleEndian32(at offset: Int) -> UInt32 {
        UInt32(littleEndian16(at: offset)) | UInt32(littleEndian16(at: offset + 2)) << 16
    }
}
