/// How names of a .proto file read in Swift.
enum SwiftNames {
    /// Keywords that an identifier must be quoted for.
    private static let keywords: Set<String> = [
        "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
        "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
        "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
        "public", "repeat", "rethrows", "return", "static", "struct", "subscript", "super", "switch", "throw",
        "throws", "true", "try", "typealias", "var", "where", "while", "Any", "Self",
    ]

    /// Members that every message, or every Swift value, has already.
    private static let takenMembers: Set<String> = [
        "self", "init", "description", "hashValue", "messageName", "wireBytes", "wireDefault", "encode", "encoded",
        "write", "json", "visitFields", "cDescriptor",
    ]

    /// Names that the generated code itself uses for types.
    static let takenTypes: Set<String> = [
        "Any", "Array", "Bool", "Codable", "Decoder", "Dictionary", "Double", "Encoder", "Float", "Int32", "Int64",
        "Optional", "Protocol", "Self", "String", "Timestamp", "Type", "UInt32", "UInt64", "UInt8", "WireEnum",
        "WireError", "WireMessage",
    ]

    static func quoted(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    /// `account_id` is `accountID`, `user_ids` is `userIDs`, `value_2` is `value2`.
    static func member(_ name: String) -> String {
        let camel = lowerCamel(name)
        return takenMembers.contains(camel) ? camel + "Field" : camel
    }

    static func lowerCamel(_ name: String) -> String {
        var result = ""
        for (index, part) in name.split(separator: "_").enumerated() {
            switch (index, part) {
            case (0, _): result += part.prefix(1).lowercased() + part.dropFirst()
            case (_, "id"): result += "ID"
            case (_, "ids"): result += "IDs"
            default: result += capitalised(part)
            }
        }
        return result
    }

    static func upperCamel(_ name: String) -> String { capitalised(lowerCamel(name)) }

    private static func capitalised(_ text: some StringProtocol) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }

    /// `bellwire.calls.v1` is `CallsV1`.
    static func namespace(package: String) -> String {
        let parts = package.split(separator: ".")
        return (parts.count > 1 ? parts.dropFirst() : parts[...]).map { upperCamel(String($0)) }.joined()
    }

    /// `bellwire.calls.v1` is registered as `calls`.
    static func serviceName(package: String) -> String {
        let parts = package.split(separator: ".")
        return String(parts.count > 1 ? parts[1] : parts.first ?? "")
    }

    /// The cases of an enum: without the type's name as a prefix (`CALL_STATE_RINGING` is `ringing`), if all have it
    /// and none would begin with a digit.
    static func cases(of type: EnumSchema) -> [String] {
        let prefix = CNames.upperSnake(type.name) + "_"
        let cut = type.values.map { $0.name.hasPrefix(prefix) ? String($0.name.dropFirst(prefix.count)) : "" }
        let canCut = cut.allSatisfy { $0.first.map { $0.isLetter } ?? false }
        return (canCut ? cut : type.values.map(\.name)).map { name in
            let camel = lowerCamel(name.lowercased())
            return ["self", "init", "unrecognized", "allCases", "name", "protoName"].contains(camel)
                ? camel + "Value" : camel
        }
    }
}
