extension Duration {
    /// Whole nanoseconds.
    public var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// Whole milliseconds.
    public var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
