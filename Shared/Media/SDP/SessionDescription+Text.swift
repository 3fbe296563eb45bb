extension SessionDescription {
    /// Reads RFC 8866 text, lines ended by CRLF or LF.
    public init(parsing text: String) throws(SDPError) {
        guard text.utf8.count <= Self.maximumBytes else { throw .tooLarge }
        var origin: SDPOrigin?
        var hasVersion = false
        self.init(origin: SDPOrigin(sessionID: "", sessionVersion: "", connection: SDPConnection(address: "0.0.0.0")))
        var number = 0
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            number += 1
            if line.isEmpty { continue }
            guard line.utf8.count >= 2, line.utf8[line.utf8.index(after: line.startIndex)] == UInt8(ascii: "=") else {
                throw .malformedLine(number)
            }
            let value = line.dropFirst(2)
            switch line.first {
            case "v":
                guard value == "0" else { throw .malformedLine(number) }
                hasVersion = true
            case "o":
                guard let parsed = SDPOrigin(value) else { throw .malformedLine(number) }
                origin = parsed
            case "s": sessionName = String(value)
            case "c":
                guard let parsed = SDPConnection(fields: value.split(separator: " ")) else {
                    throw .malformedLine(number)
                }
                setConnection(parsed)
            case "a": append(SDPAttribute(line: value))
            case "m":
                guard media.count < Self.maximumMedia else { throw .tooLarge }
                guard let parsed = MediaDescription(line: value) else { throw .malformedLine(number) }
                media.append(parsed)
            default: break
            }
        }
        guard hasVersion, let origin else { throw .incomplete }
        self.origin = origin
    }

    /// RFC 8866 text with CRLF line ends.
    public var text: String {
        var lines = [
            "v=0",
            "o=\(origin.username) \(origin.sessionID) \(origin.sessionVersion) \(origin.connection.text)",
            "s=\(sessionName.isEmpty ? "-" : sessionName)",
        ]
        if let connection { lines.append("c=\(connection.text)") }
        lines.append("t=0 0")
        lines += attributes.map { "a=\($0.text)" }
        for medium in media {
            lines.append("m=\(medium.kind) \(medium.port) \(medium.transport) \(medium.formats.joined(separator: " "))")
            if let connection = medium.connection { lines.append("c=\(connection.text)") }
            lines += medium.attributes.map { "a=\($0.text)" }
        }
        return lines.map { $0 + "\r\n" }.joined()
    }

    private mutating func setConnection(_ parsed: SDPConnection) {
        if media.isEmpty { connection = parsed } else { media[media.count - 1].connection = parsed }
    }

    private mutating func append(_ attribute: SDPAttribute) {
        if media.isEmpty { attributes.append(attribute) } else { media[media.count - 1].attributes.append(attribute) }
    }
}

extension SDPOrigin {
    init?(_ value: Substring) {
        let fields = value.split(separator: " ")
        guard fields.count == 6, let connection = SDPConnection(fields: Array(fields[3...])) else { return nil }
        self.init(
            username: String(fields[0]), sessionID: String(fields[1]), sessionVersion: String(fields[2]),
            connection: connection)
    }
}

extension MediaDescription {
    init?(line value: Substring) {
        let fields = value.split(separator: " ")
        guard fields.count >= 4 else { return nil }
        // `49170/2` names consecutive ports; the first is the one used.
        guard let first = fields[1].split(separator: "/").first, let port = Int(first), (0...65_535).contains(port)
        else {
            return nil
        }
        self.init(
            kind: String(fields[0]), port: port, transport: String(fields[2]), formats: fields[3...].map(String.init))
    }
}
