/// The parameters of a `Digest` challenge, names in lower case, values unquoted (RFC 2617 section 3.2.1).
struct DigestParameters {
    private var values: [String: String] = [:]

    subscript(name: String) -> String? { values[name] }

    /// Nil when the text is no Digest challenge or malformed.
    init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        DigestParameters.skipBlanks(&rest)
        guard DigestParameters.token(&rest)?.lowercased() == "digest" else { return nil }
        while true {
            DigestParameters.skipSeparators(&rest)
            if rest.isEmpty { return }
            guard let name = DigestParameters.token(&rest)?.lowercased() else { return nil }
            DigestParameters.skipBlanks(&rest)
            guard rest.popFirst() == UInt8(ascii: "=") else { return nil }
            DigestParameters.skipBlanks(&rest)
            guard let value = DigestParameters.value(&rest) else { return nil }
            // The first one counts.
            if values[name] == nil { values[name] = value }
        }
    }

    private static func skipBlanks(_ rest: inout ArraySlice<UInt8>) {
        while let first = rest.first, isBlank(first) { rest.removeFirst() }
    }

    private static func skipSeparators(_ rest: inout ArraySlice<UInt8>) {
        while let first = rest.first, isBlank(first) || first == UInt8(ascii: ",") { rest.removeFirst() }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }

    private static func token(_ rest: inout ArraySlice<UInt8>) -> String? {
        let separators = Set("()<>@,;:\\\"/[]?={} \t\r\n".utf8)
        let token = rest.prefix { $0 > 0x20 && $0 < 0x7F && !separators.contains($0) }
        guard !token.isEmpty else { return nil }
        rest = rest.dropFirst(token.count)
        return String(decoding: token, as: UTF8.self)
    }

    private static func value(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard rest.first == UInt8(ascii: "\"") else { return token(&rest) }
        rest.removeFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return String(validating: bytes, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                guard let escaped = rest.popFirst() else { return nil }
                bytes.append(escaped)
            } else {
                bytes.append(byte)
            }
        }
        return nil
    }
}
