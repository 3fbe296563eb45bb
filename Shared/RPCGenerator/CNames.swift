/// How protoc-c 1.4 names things.
enum CNames {
    /// Words after which protoc-c puts an underscore.
    private static let keywords: Set<String> = [
        "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char", "class", "compl",
        "const", "const_cast", "continue", "default", "delete", "do", "double", "dynamic_cast", "else", "enum",
        "explicit", "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "long", "mutable",
        "namespace", "new", "not", "not_eq", "operator", "or", "or_eq", "private", "protected", "public", "register",
        "reinterpret_cast", "return", "short", "signed", "sizeof", "static", "static_cast", "struct", "switch",
        "template", "this", "throw", "true", "try", "typedef", "typeid", "typename", "union", "unsigned", "using",
        "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
    ]

    /// `bellwire.calls.v1.CallState` is `Bellwire__Calls__V1__CallState`.
    static func type(_ fullName: String) -> String {
        fullName.split(separator: ".").map { piece in
            piece.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        }.joined(separator: "__")
    }

    /// `bellwire.calls.v1.CallState` is `bellwire__calls__v1__call_state`.
    static func function(_ fullName: String) -> String {
        fullName.split(separator: ".").map { lowerSnake(String($0)) }.joined(separator: "__")
    }

    static func lowerSnake(_ camel: String) -> String {
        var result = ""
        var previousIsUpper = true
        for character in camel {
            let isUpper = character.isASCII && character.isUppercase
            if isUpper, !previousIsUpper { result += "_" }
            result += character.lowercased()
            previousIsUpper = isUpper
        }
        return result
    }

    static func upperSnake(_ camel: String) -> String { lowerSnake(camel).uppercased() }

    /// A struct's member, also as part of `n_MEMBER`.
    static func member(_ name: String) -> String {
        let name = name.lowercased()
        return keywords.contains(name) ? name + "_" : name
    }

    /// The same as Swift accesses it.
    static func swiftMember(_ name: String) -> String {
        let member = member(name)
        return member == "init" || member == "self" ? "`\(member)`" : member
    }
}
