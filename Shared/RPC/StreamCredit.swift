/// How streams are kept from running ahead of their readers: the reader grants bytes, an item may be sent while any
/// credit is left, and takes its size and a fixed part from it.
enum StreamCredit {
    /// What a reader grants at the start.
    static let window = 256 << 10
    /// What it has granted in the end when it always waits for more: it is the way that is long, not the reader slow.
    static let largestWindow = 2 << 20

    static func cost(_ bytes: Int) -> Int { bytes + 64 }
}
