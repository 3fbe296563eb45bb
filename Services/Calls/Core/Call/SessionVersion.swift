/// The version of a description (RFC 8866, section 5.2): it rises when anything else in it changes, and only then. A relay
/// passes the far side's on; with another far side, or another relay, it would jump.
package enum SessionVersion {
    /// What comes after a description that the same side was told before: that one, when it says the same; else the new one,
    /// under the old one's name, with the next version.
    package static func follow(_ told: String?, with next: String) -> String {
        guard let told else { return next }
        if areSame(told, next) { return told }
        guard let origin = told.split(whereSeparator: \.isNewline).first(where: { $0.hasPrefix("o=") }),
            let replaced = next.split(whereSeparator: \.isNewline).first(where: { $0.hasPrefix("o=") })
        else { return next }
        var fields = origin.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 6, let version = UInt64(fields[2]), version < .max else { return next }
        fields[2] = String(version + 1)
        return next.replacing(replaced, with: fields.joined(separator: " "), maxReplacements: 1)
    }

    /// Whether two descriptions say the same, but for who made them and which version they are.
    package static func areSame(_ one: String, _ other: String) -> Bool {
        lines(of: one).elementsEqual(lines(of: other))
    }

    private static func lines(of text: String) -> [Substring] {
        text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("o=") }
    }
}
