import Foundation

/// Tones made and found again.
enum Tone {
    /// Samples at 16 bits, two thirds of full scale.
    static func samples(frequency: Double, seconds: Double, rate: Int) -> [Int16] {
        (0..<Int(seconds * Double(rate))).map { index in
            Int16(20_000 * sin(2 * .pi * frequency * Double(index) / Double(rate)))
        }
    }

    /// Raw mu-law or A-law bytes at 8 kHz, as sipp streams them.
    static func raw(frequency: Double, seconds: Double, encode: (Int16) -> UInt8) -> Data {
        Data(samples(frequency: frequency, seconds: seconds, rate: 8000).map(encode))
    }

    /// A WAV of 16 bits with the same in each channel.
    static func wav(frequency: Double, seconds: Double, rate: Int, channels: Int = 1) -> Data {
        let samples = samples(frequency: frequency, seconds: seconds, rate: rate)
        var data = Data("RIFF".utf8)
        func append<Number: FixedWidthInteger>(_ number: Number) {
            withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
        }
        append(UInt32(36 + samples.count * 2 * channels))
        data.append(Data("WAVEfmt ".utf8))
        append(UInt32(16))
        append(UInt16(1))
        append(UInt16(channels))
        append(UInt32(rate))
        append(UInt32(rate * 2 * channels))
        append(UInt16(2 * channels))
        append(UInt16(16))
        data.append(Data("data".utf8))
        append(UInt32(samples.count * 2 * channels))
        for sample in samples {
            for _ in 0..<channels { append(sample) }
        }
        return data
    }

    /// ITU-T G.711 mu-law, written here anew so that no code under test makes its own input.
    static func muLaw(_ sample: Int16) -> UInt8 {
        let sign: UInt8 = sample < 0 ? 0x80 : 0
        let magnitude = min(Int(sample.magnitude), 32_635) + 132
        let exponent = max(0, 8 - (UInt16(magnitude).leadingZeroBitCount + 1))
        let mantissa = (magnitude >> (exponent + 3)) & 0xF
        return ~(sign | UInt8(exponent << 4) | UInt8(mantissa))
    }

    /// ITU-T G.711 A-law.
    static func aLaw(_ sample: Int16) -> UInt8 {
        let sign: UInt8 = sample >= 0 ? 0x80 : 0
        let magnitude = min(Int(sample.magnitude), 32_635)
        let exponent = magnitude < 256 ? 0 : 7 - (UInt16(magnitude).leadingZeroBitCount - 1)
        let mantissa = exponent == 0 ? magnitude >> 4 : (magnitude >> (exponent + 3)) & 0xF
        return (sign | UInt8(exponent << 4) | UInt8(mantissa)) ^ 0x55
    }
}
