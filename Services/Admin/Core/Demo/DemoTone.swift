import Foundation

/// What the demo's caller "says": a doorbell's two tones, again and again, as raw mu-law (ITU-T G.711) at 8 kHz.
package enum DemoTone {
    package static let fileName = "doorbell.ul"

    /// Two seconds.
    package static var muLaw: [UInt8] {
        var samples: [UInt8] = []
        for (frequency, seconds) in [(659.3, 0.6), (523.3, 1.0), (0, 0.4)] {
            let count = Int(seconds * 8000)
            for index in 0..<count {
                let time = Double(index) / 8000
                // Each stroke fades, and starts without a click.
                let envelope = min(1, time / 0.01) * exp(-3 * time)
                let value = frequency == 0 ? 0 : sin(2 * .pi * frequency * time) * envelope
                samples.append(encode(Int(value * 20_000)))
            }
        }
        return samples
    }

    package static func encode(_ sample: Int) -> UInt8 {
        let sign: UInt8 = sample < 0 ? 0x80 : 0
        let magnitude = min(abs(sample), 32_635) + 132
        let exponent = max(0, Int.bitWidth - 1 - magnitude.leadingZeroBitCount - 7)
        let mantissa = (magnitude >> (exponent + 3)) & 0x0F
        return ~(sign | UInt8(exponent << 4) | UInt8(mantissa))
    }
}
