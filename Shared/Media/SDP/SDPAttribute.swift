/// `a=name` or `a=name:value` (RFC 8866 section 5.13).
public struct SDPAttribute: Sendable, Equatable {
    public var name: String
    /// Nil for a flag.
    public var value: String?

    public init(_ name: String, _ value: String? = nil) {
        self.name = name
        self.value = value
    }

    init(line: Substring) {
        guard let colon = line.firstIndex(of: ":") else {
            self.init(String(line))
            return
        }
        self.init(String(line[..<colon]), String(line[line.index(after: colon)...]))
    }

    var text: String {
        guard let value else { return name }
        return "\(name):\(value)"
    }
}
