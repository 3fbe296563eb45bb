/// What the value of an option must look like. Checked before anything is connected to: wrong usage is wrong usage also
/// where no system runs.
public enum ValueRule: Sendable, Equatable {
    case text
    /// A whole number.
    case number(ClosedRange<UInt32>)
    case oneOf([String])
    /// Words with commas between. An empty one is a script's variable that was not set.
    case list
    /// A telephone number with its plus. Others would be compared with numbers that all have this form, and find nothing.
    case e164

    /// What is wrong with a value; nil when nothing is.
    func problem(of value: String) -> String? {
        switch self {
        case .text: return nil
        case .number(let range):
            if let number = UInt32(value), range.contains(number) { return nil }
            return range.upperBound == .max
                ? "must be a whole number from \(range.lowerBound) on"
                : "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .oneOf(let words):
            return words.contains(value) ? nil : "must be \(words.dropLast().joined(separator: ", ")) or \(words.last!)"
        case .list:
            let words = value.split(separator: ",", omittingEmptySubsequences: false)
            return words.contains { $0.allSatisfy(\.isWhitespace) } ? "has nothing between two commas" : nil
        case .e164:
            let digits = value.dropFirst()
            let isNumber = value.first == "+" && (2...15).contains(digits.count) && digits.first != "0"
            return isNumber && digits.allSatisfy { ("0"..."9").contains($0) }
                ? nil : "must be a number in E.164, such as +12025550123"
        }
    }
}
