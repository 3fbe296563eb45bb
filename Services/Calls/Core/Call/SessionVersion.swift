/// The version of a description (RFC 8866, section 5.2): it rises when anything else in it changes, and only then.
package enum SessionVersion {
    /// Whether two descriptions say the same, but for who made them and which version they are.
    package static func areSame(_ one: String, _ other: String) -> Bool {
        lines(of: one).elementsEqual(lines(of: other))
    }

    private static func lines(of text: String) -> [Substring] {
        text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("o=") }
    }
}
