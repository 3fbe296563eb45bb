/// Where a listing goes on: behind the item with this moment and id (keyset paging).
///
/// The text form is opaque to clients. It carries a checksum over itself and the listing's scope, so that a mistyped token,
/// or one of another listing, is refused instead of read as another place. It is no secret and grants nothing: the query
/// is bound to its owner either way.
public struct PageToken: Hashable, Sendable {
    /// Microseconds since 1970; 0 in listings that are ordered by id alone.
    public let microseconds: Int64
    public let id: BellwireID

    public init(microseconds: Int64 = 0, id: BellwireID) {
        self.microseconds = microseconds
        self.id = id
    }

    /// 56 characters of `[0-9a-f]`.
    ///
    /// - Parameter scope: which listing, with its filters: `records/<owner>/<number>`.
    public func text(scope: String) -> String {
        let words = [UInt64(bitPattern: microseconds), id.high, id.low]
        return words.map { PageToken.hexadecimal($0) }.joined()
            + PageToken.hexadecimal(PageToken.checksum(words, scope: scope)).suffix(8)
    }

    /// Nil when `text` is no token of this scope.
    public init?(_ text: String, scope: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 56, bytes.allSatisfy(PageToken.isLowerHexadecimal) else { return nil }
        func word(_ index: Int) -> UInt64? {
            UInt64(String(decoding: bytes[16 * index..<16 * index + 16], as: UTF8.self), radix: 16)
        }
        guard let time = word(0), let high = word(1), let low = word(2),
            text.suffix(8) == PageToken.hexadecimal(PageToken.checksum([time, high, low], scope: scope)).suffix(8),
            let id = BellwireID(PageToken.uuid(bytes[16..<48]))
        else { return nil }
        self.init(microseconds: Int64(bitPattern: time), id: id)
    }

    private static func uuid(_ digits: ArraySlice<UInt8>) -> String {
        var text: [UInt8] = []
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append(UInt8(ascii: "-")) }
            text.append(digit)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func isLowerHexadecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    private static func hexadecimal(_ word: UInt64) -> String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// FNV-1a, 64 bits.
    private static func checksum(_ words: [UInt64], scope: String) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func mix(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        for word in words {
            for shift in stride(from: 56, through: 0, by: -8) { mix(UInt8(truncatingIfNeeded: word >> UInt64(shift))) }
        }
        for byte in scope.utf8 { mix(byte) }
        return hash
    }
}
