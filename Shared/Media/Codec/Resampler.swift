import Glibc

/// Changes the rate of a whole recording with a windowed sinc. For greetings, which are short: not for live audio.
public enum Resampler {
    /// Zero crossings on each side of the filter.
    private static let crossings = 16.0

    /// The same audio at another rate.
    public static func resample(_ samples: [Int16], from source: Int, to target: Int) -> [Int16] {
        guard source != target, source > 0, target > 0, !samples.isEmpty else { return samples }
        let divisor = greatestCommonDivisor(source, target)
        // Output n lies at input n * step / phases.
        let (step, phases) = (source / divisor, target / divisor)
        // Below the lower of the two Nyquist frequencies, with a little room for the filter's slope.
        let cutoff = min(1, Double(target) / Double(source)) * 0.94
        let reach = Int((crossings / cutoff).rounded(.up))
        let filters = (0..<phases).map { phase in
            filter(offset: Double(phase) / Double(phases), cutoff: cutoff, reach: reach)
        }
        let count = Int((Double(samples.count) * Double(target) / Double(source)).rounded())
        return (0..<count).map { index in
            let (center, phase) = (index * step).quotientAndRemainder(dividingBy: phases)
            return convolve(samples, around: center, filters[phase], reach: reach)
        }
    }

    /// The filter's taps for inputs from `-reach + 1` to `reach` around an output that lies `offset` behind input 0.
    private static func filter(offset: Double, cutoff: Double, reach: Int) -> [Float] {
        (-reach + 1...reach).map { tap in
            let distance = Double(tap) - offset
            let x = Double.pi * distance * cutoff
            let sinc = abs(x) < 1e-9 ? 1 : sin(x) / x
            // Hann window over the filter's reach.
            let window = 0.5 * (1 + cos(Double.pi * min(1, abs(distance) / Double(reach))))
            return Float(cutoff * sinc * window)
        }
    }

    private static func convolve(_ samples: [Int16], around center: Int, _ filter: [Float], reach: Int) -> Int16 {
        let start = center - reach + 1
        var sum: Float = 0
        for tap in max(0, -start)..<max(max(0, -start), min(filter.count, samples.count - start)) {
            sum += Float(samples[start + tap]) * filter[tap]
        }
        return Int16(max(-32_768, min(32_767, sum.rounded())))
    }

    private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
        b == 0 ? a : greatestCommonDivisor(b, a % b)
    }
}
