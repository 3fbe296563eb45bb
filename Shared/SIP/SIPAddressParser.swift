/// Reading and writing of ``SIPAddress`` (name-addr and addr-spec, RFC 3261 section 25.1).
enum SIPAddressParser {
    static func parse(_ text: String) -> SIPAddress? {
        var rest = trimmed(text[...])
        var displayName: String?
        if rest.first == "\"" {
            guard let (name, after) = quoted(rest) else { return nil }
            displayName = name
            rest = trimmed(after)
            guard rest.first == "<" else { return nil }
        }
        let uriText: Substring
        if let open = rest.firstIndex(of: "<") {
            if displayName == nil { displayName = String(trimmed(rest[..<open])) }
            guard let close = rest[open...].firstIndex(of: ">") else { return nil }
            uriText = rest[rest.index(after: open)..<close]
            rest = rest[rest.index(after: close)...]
        } else {
            // Without brackets every parameter belongs to the header (RFC 3261 section 20.10).
            let end = rest.firstIndex(of: ";") ?? rest.endIndex
            uriText = trimmed(rest[..<end])
            rest = rest[end...]
        }
        guard let uri = SIPURI(String(uriText)) else { return nil }
        let tag = parameter("tag", in: rest)
        return SIPAddress(displayName: displayName.flatMap { $0.isEmpty ? nil : $0 }, uri: uri, tag: tag)
    }

    static func text(of address: SIPAddress) -> String {
        var text = ""
        if let name = address.displayName {
            text += "\""
            for character in name.unicodeScalars where character.value >= 0x20 && character.value != 0x7F {
                if character == "\"" || character == "\\" { text += "\\" }
                text.unicodeScalars.append(character)
            }
            text += "\" "
        }
        return text + "<" + address.uri.text + ">" + (address.tag.map { ";tag=" + $0 } ?? "")
    }

    /// A header parameter after the address: quoted values are not searched for separators.
    private static func parameter(_ name: String, in text: Substring) -> String? {
        for piece in text.split(separator: ";") {
            let sides = piece.split(separator: "=", maxSplits: 1)
            if sides.count == 2, trimmed(sides[0]).lowercased() == name { return String(trimmed(sides[1])) }
        }
        return nil
    }

    private static func quoted(_ text: Substring) -> (String, Substring)? {
        var name = ""
        var index = text.index(after: text.startIndex)
        while index < text.endIndex {
            var character = text[index]
            if character == "\"" { return (name, text[text.index(after: index)...]) }
            if character == "\\" {
                index = text.index(after: index)
                guard index < text.endIndex else { return nil }
                character = text[index]
            }
            name.append(character)
            index = text.index(after: index)
        }
        return nil
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return text
    }
}
