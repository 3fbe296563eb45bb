import Foundation

/// The reader of our output went away: nothing more is to be said.
struct OutputClosed: Error {}

/// Where a command's result goes: JSON lines, or tables and lists for people. Unbuffered, so that a watched stream is seen
/// as it happens.
public struct Output: Sendable {
    let json: Bool
    private let standardOutput: @Sendable (String) throws -> Void
    private let standardError: @Sendable (String) -> Void

    public init(json: Bool) {
        self.init(
            json: json,
            standardOutput: { text in
                do {
                    try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
                } catch {
                    throw OutputClosed()
                }
            },
            standardError: { text in try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) })
    }

    package init(
        json: Bool, standardOutput: @escaping @Sendable (String) throws -> Void,
        standardError: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.json = json
        self.standardOutput = standardOutput
        self.standardError = standardError
    }

    /// Text for people or a line of JSON, as it is.
    func write(_ text: String) throws { try standardOutput(text) }

    func line(_ value: JSONValue) throws { try standardOutput(value.text + "\n") }

    /// Something beside the result, to standard error.
    func note(_ text: String) { standardError("bellwire: \(text)\n") }

    /// One thing, all of it.
    package func show(_ item: some Presentable) throws {
        if json { return try line(.object(item.fields)) }
        let fields = item.fields
        let width = (fields.map(\.name.count).max() ?? 0) + 2
        for field in fields {
            let padding = String(repeating: " ", count: width - field.name.count)
            try write(field.name + padding + TextTable.printable(field.value.plain) + "\n")
        }
    }
}

extension JSONValue {
    /// As people read it: no quotes around text, nothing for null.
    var plain: String {
        switch self {
        case .null: ""
        case .string(let text): text
        default: text
        }
    }
}
