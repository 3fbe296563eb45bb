import Glibc

/// Changes the rate of a whole recording with a windowed sinc. For greetings, which are short: not for live audio.
public enum Resampler {
    /// Zero crossings on each side of the filter.
    private static let crossings = 16.0

    /// The same audio at another rate.
    public static func resample(_ samples: [Int16], from source: Int, to target: Int) -> [Int16] {
        guard source != target, source > 0, target > 0, !samples.isEmpty else { return samples }
        let ratio = Double(source) / Double(target)
        // Below the lower of the two Nyquist frequencies, with a little room for the filter's slope.
        let cutoff = min(1, Double(target) / Double(source)) * 0.94
        let reach = crossings / cutoff
        let count = Int((Double(samples.count) / ratio).rounded())
        return (0..<count).map { index in
            let center = Double(index) * ratio
            let first = max(0, Int((center - reach).rounded(.up)))
            let last = min(samples.count - 1, Int((center + reach).rounded(.down)))
            guard first <= last else { return 0 }
            var sum = 0.0
            for position in first...last {
                let distance = Double(position) - center
                sum += Double(samples[position]) * kernel(distance, cutoff: cutoff, reach: reach)
            }
            return Int16(max(-32_768, min(32_767, sum.rounded())))
        }
    }

    private static func kernel(_ distance: Double, cutoff: Double, reach: Double) -> Double {
        let x = Double.pi * distance * cutoff
        let sinc = abs(x) < 1e-9 ? 1 : sin(x) / x
        // Hann window over the filter's reach.
        return cutoff * sinc * 0.5 * (1 + cos(Double.pi * distance / reach))
    }
}
