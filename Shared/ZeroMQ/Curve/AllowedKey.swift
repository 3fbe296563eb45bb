/// A party that may connect, and what it may be.
public struct AllowedKey: Sendable, Equatable {
    public let key: CurvePublicKey
    /// Whose key it is: 1 to 32 of a-z, 0-9, `-` and `.`. A name may have several keys: the old and the new one.
    public let name: String
    /// Names of services, or `operator`: in these the party calls, and is called.
    public let roles: Set<String>

    public init(key: CurvePublicKey, name: String, roles: Set<String>) {
        self.key = key
        self.name = name
        self.roles = roles
    }

    /// A line of the file: `NAME KEY ROLE[,ROLE...]`. Throws what is wrong with it.
    init(line: String) throws(LineError) {
        let words = line.split(separator: " ").map(String.init)
        guard words.count == 3 else { throw LineError("is not NAME KEY ROLE[,ROLE...]") }
        guard AllowedKey.isWord(words[0]) else { throw LineError("the name is not 1 to 32 of a-z, 0-9, - and .") }
        guard let key = CurvePublicKey(words[1]) else { throw LineError("the key is not 64 hexadecimal digits") }
        let roles = words[2].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard roles.allSatisfy(AllowedKey.isWord) else { throw LineError("a role is not 1 to 32 of a-z, 0-9, - and .") }
        self.init(key: key, name: words[0], roles: Set(roles))
    }

    /// As a line of the file.
    public var line: String { "\(name) \(key) \(roles.sorted().joined(separator: ","))" }

    struct LineError: Error {
        let text: String
        init(_ text: String) { self.text = text }
    }

    public static func isWord(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: ".")
            }
    }
}
