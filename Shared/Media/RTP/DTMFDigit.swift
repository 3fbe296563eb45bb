/// A key of a telephone: `0-9`, `*`, `#`, `A-D`.
public struct DTMFDigit: Sendable, Hashable {
    public let character: Character

    private static let characters: [Character] = Array("0123456789*#ABCD")

    public static let pound = DTMFDigit(eventCode: 11)!

    public init?(eventCode: UInt8) {
        guard eventCode < 16 else { return nil }
        character = Self.characters[Int(eventCode)]
    }

    public init?(_ character: Character) {
        let upper = Character(character.uppercased())
        guard Self.characters.contains(upper) else { return nil }
        self.character = upper
    }

    /// RFC 4733 table 3.
    public var eventCode: UInt8 { UInt8(Self.characters.firstIndex(of: character)!) }
}
