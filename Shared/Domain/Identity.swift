/// A user's name inside its account, as clients sign in with it.
///
/// The alphabets of the published clients differ: 255 bytes of `[A-Za-z0-9-_=]` in one, 121 characters of `[A-Za-z0-9_]`
/// in another. An identity is accepted when the wider of the two accepts it; `isPortable` tells whether both do.
public struct Identity: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    /// Nil when empty, longer than 255 bytes, or with a byte outside the alphabet.
    public init?(_ text: String) {
        guard (1...255).contains(text.utf8.count), text.utf8.allSatisfy(Identity.isAllowed) else { return nil }
        description = text
    }

    public var isPortable: Bool {
        description.utf8.count <= 121
            && !description.utf8.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "=") }
    }

    /// Digits only: could be meant as a telephone number.
    public var isNumeric: Bool {
        description.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "="):
            true
        default: false
        }
    }
}
