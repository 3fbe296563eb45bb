/// The header of a RIFF WAVE file with 16-bit PCM: 44 bytes, which any player reads.
///
///     0  "RIFF"   4  file size - 8      8 "WAVE"
///     12 "fmt "  16  16                20 format 1 (PCM), channels (16 bits each)
///     24 sample rate                   28 bytes a second
///     32 block align, bits a sample (16 bits each)
///     36 "data"  40  bytes of samples
///
/// All numbers are little-endian. While a recording grows its two sizes are 0; they follow from the file's size, so a
/// recording whose end never came is read, and finished, all the same.
public struct WAVFormat: Sendable, Equatable {
    public static let headerBytes = 44

    /// In Hz.
    public var sampleRate: Int
    public var channels: Int

    public init(sampleRate: Int, channels: Int = 1) {
        self.sampleRate = sampleRate
        self.channels = channels
    }

    public var bytesPerSecond: Int { sampleRate * channels * 2 }

    /// The header of a file with so many bytes of samples.
    public func header(dataBytes: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes += Array("RIFF".utf8)
        bytes.append(littleEndian: UInt32(clamping: dataBytes == 0 ? 0 : dataBytes + 36))
        bytes += Array("WAVEfmt ".utf8)
        bytes.append(littleEndian: UInt32(16))
        bytes.append(littleEndian: UInt16(1))
        bytes.append(littleEndian: UInt16(channels))
        bytes.append(littleEndian: UInt32(sampleRate))
        bytes.append(littleEndian: UInt32(bytesPerSecond))
        bytes.append(littleEndian: UInt16(channels * 2))
        bytes.append(littleEndian: UInt16(16))
        bytes += Array("data".utf8)
        bytes.append(littleEndian: UInt32(clamping: dataBytes))
        return bytes
    }
}

extension [UInt8] {
    mutating func append<Value: FixedWidthInteger & UnsignedInteger>(littleEndian value: Value) {
        for index in 0..<(Value.bitWidth / 8) { append(UInt8(truncatingIfNeeded: value >> Value(8 * index))) }
    }
}
