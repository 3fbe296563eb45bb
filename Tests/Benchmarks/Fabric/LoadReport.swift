/// What one load client saw, written as one JSON line: requests or messages in the measured window and in all, and their
/// latencies.
struct LoadReport {
    /// Before the window: connections are made, caches filled.
    static let warmUp: UInt64 = 300_000_000

    var count = 0
    var total = 0
    var seconds = 0.0
    var bytes = 0
    /// Nanoseconds.
    var latencies: [UInt32] = []

    func write() {
        let sorted = latencies.sorted()
        func percentile(_ share: Double) -> Double {
            sorted.isEmpty ? 0 : Double(sorted[Int(Double(sorted.count - 1) * share)]) / 1000
        }
        Main.say(
            """
            {"count": \(count), "total": \(total), "seconds": \(seconds), "bytes": \(bytes), \
            "p50_us": \(percentile(0.5)), "p99_us": \(percentile(0.99))}
            """)
    }
}
