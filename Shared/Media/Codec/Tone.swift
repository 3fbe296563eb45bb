import Glibc

/// Tones as samples: what is played after a greeting, and what tests send.
public enum Tone {
    /// A sine wave with ends faded over 5 ms, so that it does not click.
    /// - Parameter level: of full scale, 0...1.
    public static func sine(hertz: Double, duration: Duration, sampleRate: Int, level: Double = 0.35) -> [Int16] {
        let count = Int((duration / .seconds(1) * Double(sampleRate)).rounded())
        let fade = max(1, sampleRate / 200)
        return (0..<count).map { index in
            let gain = min(1, Double(min(index, count - 1 - index)) / Double(fade))
            return Int16(sin(2 * .pi * hertz * Double(index) / Double(sampleRate)) * level * gain * 32_767)
        }
    }
}
