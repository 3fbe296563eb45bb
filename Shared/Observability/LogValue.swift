/// What a log line may carry. Text is not among it as such: whoever logs text says by the case why it may be read by
/// anybody, and what is personal comes in as a type that redacts itself.
public enum LogValue: Sendable {
    /// An identifier we made ourselves: a call, a record, an instance.
    case id(String)
    case int(Int)
    case bool(Bool)
    /// One of a closed set of words.
    case slug(String)
    case duration(Duration)
    /// Text that cannot hold personal data: a file name of ours, an SQLSTATE, the name of a type.
    case trusted(String)
    case redacted(any RedactedInLogs)

    public static func slug<Word: RawRepresentable>(_ word: Word) -> LogValue where Word.RawValue == String {
        .slug(word.rawValue)
    }

    /// The kind of an error, without what it says: messages may quote what a caller sent.
    public static func error(_ error: any Error) -> LogValue {
        if let error = error as? any DescribedInLogs { return .trusted(error.logDescription) }
        return .trusted(String(reflecting: type(of: error)))
    }
}

/// Personal data or a secret: stands in logs only in a form that does not give it away.
public protocol RedactedInLogs: Sendable {
    var redacted: String { get }
}

/// An error that can say what happened without quoting anything a peer sent.
public protocol DescribedInLogs: Error {
    var logDescription: String { get }
}

/// Text that must not be read in a log, for which no type of its own exists.
public struct Redacted: RedactedInLogs {
    private let length: Int

    public init(_ text: String) { length = text.utf8.count }

    public var redacted: String { "[redacted \(length) bytes]" }
}
