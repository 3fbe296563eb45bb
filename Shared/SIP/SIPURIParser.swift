/// Reading and writing of ``SIPURI`` (RFC 3261 section 25.1, RFC 3966 section 3).
enum SIPURIParser {
    static func parse(_ text: String) -> SIPURI? {
        guard text.utf8.count <= 2048, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
            let colon = text.firstIndex(of: ":"), let scheme = SIPURI.Scheme(rawValue: text[..<colon].lowercased())
        else { return nil }
        let rest = text[text.index(after: colon)...]
        return scheme == .tel ? parseTel(rest) : parseSIP(scheme, rest)
    }

    private static func parseTel(_ rest: Substring) -> SIPURI? {
        let pieces = rest.split(separator: ";", omittingEmptySubsequences: false)
        let number = String(pieces[0])
        let extra = Set("+-.()*#".utf8)
        guard !number.isEmpty, number.utf8.allSatisfy({ isHex($0) || extra.contains($0) }),
            let parameters = parameters(pieces.dropFirst())
        else { return nil }
        return SIPURI(scheme: .tel, user: number, host: "", parameters: parameters)
    }

    private static func parseSIP(_ scheme: SIPURI.Scheme, _ text: Substring) -> SIPURI? {
        var rest = text
        var user: String?
        // `@` may not stand unescaped after the host, so that the last one ends the user part.
        if let at = rest.lastIndex(of: "@") {
            let info = rest[..<at]
            // Only the first colon separates a password, which is not kept.
            guard let name = info.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).first,
                !name.isEmpty, let decoded = decode(name)
            else { return nil }
            user = decoded
            rest = rest[rest.index(after: at)...]
        }
        var headers: String?
        if let mark = rest.firstIndex(of: "?") {
            headers = String(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        let pieces = rest.split(separator: ";", omittingEmptySubsequences: false)
        guard let (host, port) = hostPort(pieces[0]), let parameters = parameters(pieces.dropFirst()) else {
            return nil
        }
        return SIPURI(scheme: scheme, user: user, host: host, port: port, parameters: parameters, headers: headers)
    }

    private static func hostPort(_ text: Substring) -> (String, UInt16?)? {
        var host = text
        var port: UInt16?
        if text.first == "[" {
            guard let close = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<close]
            let tail = text[text.index(after: close)...]
            if !tail.isEmpty {
                guard tail.first == ":", let number = self.port(tail.dropFirst()) else { return nil }
                port = number
            }
            guard host.utf8.allSatisfy({ isHex($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }) else {
                return nil
            }
        } else {
            if let colon = text.firstIndex(of: ":") {
                guard let number = self.port(text[text.index(after: colon)...]) else { return nil }
                host = text[..<colon]
                port = number
            }
            guard host.utf8.allSatisfy(isHostCharacter) else { return nil }
        }
        return host.isEmpty ? nil : (host.lowercased(), port)
    }

    private static func port(_ text: Substring) -> UInt16? {
        guard !text.isEmpty, text.utf8.allSatisfy(isDigit) else { return nil }
        return UInt16(text)
    }

    private static func parameters(_ pieces: ArraySlice<Substring>) -> [SIPURI.Parameter]? {
        var list: [SIPURI.Parameter] = []
        for piece in pieces {
            let sides = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = sides.first, !name.isEmpty else { return nil }
            list.append(SIPURI.Parameter(name.lowercased(), sides.count == 2 ? String(sides[1]) : nil))
        }
        return list
    }

    static func text(of uri: SIPURI) -> String {
        let parameters = uri.parameters.map { ";" + $0.name + ($0.value.map { "=" + $0 } ?? "") }.joined()
        if uri.scheme == .tel { return "tel:" + (uri.user ?? "") + parameters }
        var text = uri.scheme.rawValue + ":"
        if let user = uri.user { text += encode(user) + "@" }
        text += uri.host.contains(":") ? "[\(uri.host)]" : uri.host
        if let port = uri.port { text += ":\(port)" }
        return text + parameters + (uri.headers.map { "?" + $0 } ?? "")
    }

    static func number(of uri: SIPURI) -> String? {
        // `;phone-context` and the like may stand in the user part of a SIP URI (RFC 3261 section 19.1.6).
        guard let digits = uri.user?.split(separator: ";", omittingEmptySubsequences: false).first else { return nil }
        let isPhone = uri.scheme == .tel || uri.parameter("user")?.lowercased() == "phone"
        let separators: Set<UInt8> = isPhone ? Set("-.()".utf8) : []
        let kept = digits.utf8.filter { !separators.contains($0) }
        let plain = kept.first == UInt8(ascii: "+") ? kept.dropFirst() : kept[...]
        guard !plain.isEmpty, plain.allSatisfy(isDigit) else { return nil }
        return String(decoding: kept, as: UTF8.self)
    }

    private static func decode(_ text: Substring) -> String? {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
                rest.prefix(2).allSatisfy(isHex), value >= 0x20, value != 0x7F
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func encode(_ user: String) -> String {
        let plain = Set("-_.!~*'()&=+$,;?/".utf8)
        var text = ""
        for byte in user.utf8 {
            if isDigit(byte) || isLetter(byte) || plain.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }
    private static func isHex(_ byte: UInt8) -> Bool { isDigit(byte) || (0x41...0x46).contains(byte & 0xDF) }
    private static func isHostCharacter(_ byte: UInt8) -> Bool {
        isDigit(byte) || isLetter(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_")
    }
}
