/// ITU-T G.711: eight-bit logarithmic audio, as RTP payload types 0 (mu-law) and 8 (A-law).
public enum G711 {
    static let muLawSamples: [Int16] = (0...255).map { decodeMuLaw(UInt8($0)) }
    static let aLawSamples: [Int16] = (0...255).map { decodeALaw(UInt8($0)) }

    /// Silence as it is sent.
    public static let muLawSilence: UInt8 = 0xFF
    public static let aLawSilence: UInt8 = 0xD5

    /// One mu-law octet as 16-bit linear, computed (G.711 table 2; bits are sent inverted).
    static func decodeMuLaw(_ octet: UInt8) -> Int16 {
        let value = ~octet
        let exponent = Int((value >> 4) & 7)
        let magnitude = ((Int(value & 0x0F) << 3) + 0x84) << exponent
        return Int16(value & 0x80 != 0 ? 0x84 - magnitude : magnitude - 0x84)
    }

    /// One A-law octet as 16-bit linear, computed (G.711 table 1; even bits are sent inverted).
    static func decodeALaw(_ octet: UInt8) -> Int16 {
        let value = octet ^ 0x55
        let exponent = Int((value >> 4) & 7)
        var magnitude = Int(value & 0x0F) << 4 + 8
        if exponent > 0 { magnitude = (magnitude + 0x100) << (exponent - 1) }
        return Int16(value & 0x80 != 0 ? magnitude : -magnitude)
    }

    public static func encodeMuLaw(_ sample: Int16) -> UInt8 {
        let isNegative = sample < 0
        let magnitude = min(abs(Int(sample)), 32_635) + 0x84
        let exponent = Int.bitWidth - magnitude.leadingZeroBitCount - 8
        let mantissa = (magnitude >> (exponent + 3)) & 0x0F
        return ~UInt8((isNegative ? 0x80 : 0) | exponent << 4 | mantissa)
    }

    public static func encodeALaw(_ sample: Int16) -> UInt8 {
        let isNegative = sample < 0
        // The negative side counts from -1: -1...-16 is its first step.
        let magnitude = min(isNegative ? -Int(sample) - 1 : Int(sample), 32_767)
        var octet: UInt8
        if magnitude < 256 {
            octet = UInt8(magnitude >> 4)
        } else {
            let exponent = Int.bitWidth - magnitude.leadingZeroBitCount - 8
            octet = UInt8(exponent << 4 | (magnitude >> (exponent + 3)) & 0x0F)
        }
        if !isNegative { octet |= 0x80 }
        return octet ^ 0x55
    }

    /// Decodes a payload into `samples`; one sample an octet.
    static func decode(_ payload: Span<UInt8>, table: [Int16], into samples: inout [Int16]) -> Int {
        let count = min(payload.count, samples.count)
        for index in 0..<count { samples[index] = table[Int(payload[index])] }
        return count
    }
}
