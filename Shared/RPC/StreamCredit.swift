/// How streams are kept from running ahead of their readers: the reader grants bytes, an item may be sent while any
/// credit is left, and takes its size and a fixed part from it.
enum StreamCredit {
    /// What a reader grants at the start.
    static let window = 256 << 10

    static func cost(_ bytes: Int) -> Int { bytes + 64 }
}
