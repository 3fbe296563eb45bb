import FoundationEssentials

/// The values of the `BELLWIRE_*` environment variables and of the `KEY=value` file named with `--config`. The
/// environment wins. An unknown key anywhere is an error, so that a misspelt one is not silently without effect.
public struct Configuration: Sendable {
    private let values: [ConfigurationKey: String]

    public init(environment: [String: String], file: [String: String] = [:]) throws(ConfigurationError) {
        var values: [ConfigurationKey: String] = [:]
        for source in [file, environment] {
            for (name, value) in source where name.hasPrefix(ConfigurationKey.prefix) {
                guard let key = ConfigurationKey(variable: name) else {
                    throw ConfigurationError(key: name, problem: "there is no such key")
                }
                values[key] = value
            }
        }
        self.values = values
        for key in ConfigurationKey.allCases { try check(key) }
    }

    /// Reads a file of `KEY=value` lines; `#` starts a comment line, quotes around a value are taken off.
    public static func parse(_ text: String) throws(ConfigurationError) -> [String: String] {
        var values: [String: String] = [:]
        for (number, raw) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = raw.trimmed
            if line.isEmpty || line.hasPrefix("#") { continue }
            guard let equals = line.firstIndex(of: "=") else {
                throw ConfigurationError(key: "line \(number + 1)", problem: "not of the form KEY=value")
            }
            let name = String(line[..<equals]).trimmed
            guard ConfigurationKey(variable: name) != nil else {
                throw ConfigurationError(key: name, problem: "line \(number + 1): there is no such key")
            }
            var value = String(line[line.index(after: equals)...]).trimmed
            for quote in ["\"", "'"] where value.count >= 2 && value.hasPrefix(quote) && value.hasSuffix(quote) {
                value = String(value.dropFirst().dropLast())
            }
            values[name] = value
        }
        return values
    }

    /// Reads the file of that path.
    public static func read(path: String) throws(ConfigurationError) -> [String: String] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ConfigurationError(key: "--config", problem: "cannot read \(path)")
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw ConfigurationError(key: "--config", problem: "\(path) is not UTF-8")
        }
        return try parse(text)
    }

    /// Nil when missing or empty.
    public func string(_ key: ConfigurationKey) -> String? {
        guard let value = values[key], !value.isEmpty else { return nil }
        return value
    }

    public func string(_ key: ConfigurationKey, default fallback: String) -> String { string(key) ?? fallback }

    public func required(_ key: ConfigurationKey) throws(ConfigurationError) -> String {
        guard let value = string(key) else { throw ConfigurationError(key: key.variable, problem: "is required") }
        return value
    }

    public func int(
        _ key: ConfigurationKey, default fallback: Int, in range: ClosedRange<Int>
    ) throws(ConfigurationError) -> Int {
        guard let text = string(key) else { return fallback }
        guard let value = Int(text), range.contains(value) else {
            throw ConfigurationError(
                key: key.variable, problem: "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// Whole or decimal seconds.
    public func seconds(
        _ key: ConfigurationKey, default fallback: Duration, in range: ClosedRange<Double>
    ) throws(ConfigurationError) -> Duration {
        guard let text = string(key) else { return fallback }
        guard let value = Double(text), range.contains(value) else {
            throw ConfigurationError(
                key: key.variable,
                problem: "must be a number of seconds from \(range.lowerBound) to \(range.upperBound)")
        }
        return .seconds(value)
    }

    /// `FIRST-LAST`; RTP needs an even first port and at least one pair.
    public func ports(
        _ key: ConfigurationKey, default fallback: ClosedRange<UInt16>
    ) throws(ConfigurationError) -> ClosedRange<UInt16> {
        guard let text = string(key) else { return fallback }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let first = UInt16(parts[0]), let last = UInt16(parts[1]), first >= 1024,
            first % 2 == 0, last > first
        else {
            throw ConfigurationError(
                key: key.variable, problem: "must be FIRST-LAST with an even first port from 1024 on")
        }
        return first...last
    }

    public func word<Word: RawRepresentable & CaseIterable>(
        _ key: ConfigurationKey, default fallback: Word
    ) throws(ConfigurationError) -> Word where Word.RawValue == String {
        guard let text = string(key) else { return fallback }
        guard let word = Word(rawValue: text) else {
            let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw ConfigurationError(key: key.variable, problem: "must be one of \(words)")
        }
        return word
    }
}

extension StringProtocol {
    fileprivate var trimmed: String {
        let spaces: Set<Character> = [" ", "\t", "\r"]
        var text = Substring(self)
        while let last = text.last, spaces.contains(last) { text.removeLast() }
        while let first = text.first, spaces.contains(first) { text.removeFirst() }
        return String(text)
    }
}
