import Glibc

/// Where a command's result goes: JSON lines, or tables and lists for people. Unbuffered, so that a watched stream is seen
/// as it happens. What is beside the result goes to standard error, in JSON as an object with the one field `note` or `error`.
public struct Output: Sendable {
    let json: Bool
    /// How wide a line may be; nil where nobody looks at it in a terminal.
    let columns: Int?
    private let standardOutput: @Sendable (String) throws -> Void
    private let standardError: @Sendable (String) -> Void

    public init(json: Bool) {
        self.init(
            json: json, columns: StandardStreams.columns,
            standardOutput: { text in try StandardStreams.write(Array(text.utf8), to: STDOUT_FILENO) },
            standardError: { text in try? StandardStreams.write(Array(text.utf8), to: STDERR_FILENO) })
    }

    package init(
        json: Bool, columns: Int? = nil, standardOutput: @escaping @Sendable (String) throws -> Void,
        standardError: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.json = json
        self.columns = columns
        self.standardOutput = standardOutput
        self.standardError = standardError
    }

    /// Text for people or a line of JSON, as it is.
    func write(_ text: String) throws { try standardOutput(text) }

    func line(_ value: JSONValue) throws { try standardOutput(value.text + "\n") }

    func table(_ table: TextTable) throws { try write(table.text(columns: columns)) }

    /// Something beside the result.
    /// - Parameter fields: what a program wants of it.
    func note(_ text: String, _ fields: [JSONValue.Field] = []) {
        guard json else { return standardError("bellwire: \(text)\n") }
        let note = JSONValue.object([.init("message", .string(text))] + fields)
        standardError(JSONValue.object([.init("note", note)]).text + "\n")
    }

    /// What went wrong.
    package func complain(_ complaint: Complaint) {
        standardError(json ? complaint.json.text + "\n" : "bellwire: \(complaint.text)\n")
    }

    /// One thing, all of it.
    package func show(_ item: some Presentable) throws {
        if json { return try line(.object(item.fields)) }
        let fields = item.fields.flatMap(\.flat)
        let width = (fields.map(\.name.count).max() ?? 0) + 2
        for (name, text) in fields {
            let padding = String(repeating: " ", count: width - name.count)
            try write(TextTable.trimmed(name + padding + TextTable.printable(text)) + "\n")
        }
    }
}

extension JSONValue.Field {
    /// As people read it: `caller.number`, no quotes around text, nothing for null.
    fileprivate var flat: [(name: String, text: String)] {
        switch value {
        case .object(let fields):
            fields.flatMap(\.flat).map { ("\(name).\($0.name)", $0.text) }
        case .array(let values):
            [(name, values.map(\.plain).joined(separator: ", "))]
        default: [(name, value.plain)]
        }
    }
}

extension JSONValue {
    fileprivate var plain: String {
        switch self {
        case .null: ""
        case .string(let text): text
        default: text
        }
    }
}
