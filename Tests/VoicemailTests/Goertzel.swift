import Glibc

/// How much of a sound is one frequency.
enum Goertzel {
    /// 1 for a pure tone, about 0 for any other.
    static func share(of hertz: Double, in samples: ArraySlice<Int16>, sampleRate: Int) -> Double {
        let angle = 2 * Double.pi * hertz / Double(sampleRate)
        var (real, imaginary, energy) = (0.0, 0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            let value = Double(sample)
            real += value * cos(angle * Double(index))
            imaginary += value * sin(angle * Double(index))
            energy += value * value
        }
        guard energy > 0 else { return 0 }
        return 2 * (real * real + imaginary * imaginary) / (energy * Double(samples.count))
    }
}
