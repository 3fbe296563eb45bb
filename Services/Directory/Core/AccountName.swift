import Domain

/// An account's name: 1 to 63 of `[A-Za-z0-9._-]`, beginning with a letter or digit; unique without regard to case. Never
/// of the form of an id, since either may name an account.
struct AccountName: Equatable {
    let text: String

    init?(_ text: String) {
        guard (1...63).contains(text.utf8.count), BellwireID(text) == nil, let first = text.utf8.first,
            AccountName.isAlphanumeric(first),
            text.utf8.allSatisfy({ AccountName.isAlphanumeric($0) || [0x2D, 0x2E, 0x5F].contains($0) })
        else { return nil }
        self.text = text
    }

    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
