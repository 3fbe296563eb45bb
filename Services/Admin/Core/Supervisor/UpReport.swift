import Runtime

/// Something that `bellwire up` tells: a line for people, or an object with `event` and what belongs to it.
package struct UpReport: Sendable {
    package let text: String
    let event: String
    let fields: [JSONValue.Field]

    init(_ event: String, _ text: String, _ fields: [JSONValue.Field] = []) {
        self.event = event
        self.text = text
        self.fields = fields
    }

    package var json: JSONValue { .object([.init("event", .string(event))] + fields) }

    /// About one of the processes.
    static func process(_ event: String, _ name: String, _ text: String, _ more: [JSONValue.Field] = []) -> UpReport {
        UpReport(event, "\(name) \(text)", [.init("process", .string(name))] + more)
    }

    /// For people; a program gets it as a message.
    static func message(_ text: String) -> UpReport {
        let words = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return UpReport("message", text, [.init("message", .string(words))])
    }
}

extension Duration {
    /// To the millisecond.
    var secondsText: String { "\(Double(milliseconds) / 1000) s" }
}
