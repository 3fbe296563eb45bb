package import WireFormat

/// A field of a message as `bellwire rpc` shows and checks it, learnt from the generated code itself.
package struct MessageField: Sendable {
    package enum Label: String, Sendable {
        case single = ""
        /// Absent and default differ.
        case optional
        case repeated
        case map
        /// One of several of which at most one is set.
        case oneof
    }

    /// The JSON name.
    package let name: String
    package let label: Label
    private let value: any WireValue.Type

    /// The fields of a message in the order of the .proto file; the members of its oneofs behind the others.
    package static func all(of message: any WireMessage.Type) -> [MessageField] {
        let always = fields(of: message.init())
        let names = Set(always.map(\.name))
        let chosen = samples(of: message).flatMap(fields).filter { !names.contains($0.name) }
        return always + chosen.map { MessageField(name: $0.name, label: .oneof, value: $0.value) }
    }

    private static func fields(of message: any WireMessage) -> [MessageField] {
        var collector = Collector()
        try? message.visitFields(&collector)
        return collector.fields
    }

    private static func samples(of message: any WireMessage.Type) -> [any WireMessage] { message.oneofSamples }

    /// The message that the field holds.
    package var message: (any WireMessage.Type)? { value as? any WireMessage.Type }

    /// The words that an enum takes.
    package var words: [String] {
        guard let type = value as? any WireEnum.Type else { return [] }
        return Self.words(type)
    }

    private static func words<Word: WireEnum>(_ type: Word.Type) -> [String] { Word.allCases.compactMap(\.name) }

    /// For people.
    package var typeName: String {
        if let message { return message.messageName }
        if !words.isEmpty { return words.joined(separator: "|") }
        return switch value {
        case is String.Type: "string"
        case is Bool.Type: "bool"
        case is [UInt8].Type: "bytes (base64)"
        case is Timestamp.Type: "time (RFC 3339)"
        case is UInt32.Type: "uint32"
        case is Int32.Type: "int32"
        case is UInt64.Type: "uint64"
        case is Int64.Type: "int64"
        default: "\(value)".lowercased()
        }
    }

    package var json: JSONValue {
        .object([
            .init("name", .string(name)), .init("type", .string(words.isEmpty ? typeName : "enum")),
            .init("label", .textOrNull(label.rawValue)),
            .init("values", words.isEmpty ? .null : .array(words.map { .string($0) })),
        ])
    }

    private struct Collector: FieldVisitor {
        var fields: [MessageField] = []

        mutating func visit<Value: WireValue>(_ name: StaticString, _ value: Value, sensitive: Bool) throws {
            fields.append(MessageField(name: name.description, label: .single, value: Value.self))
        }

        mutating func visit<Value: WireValue>(_ name: StaticString, _ value: Value?, sensitive: Bool) throws {
            let label: Label = Value.self is any WireMessage.Type || Value.self is Timestamp.Type ? .single : .optional
            fields.append(MessageField(name: name.description, label: label, value: Value.self))
        }

        mutating func visit<Value: WireValue>(_ name: StaticString, _ values: [Value], sensitive: Bool) throws {
            fields.append(MessageField(name: name.description, label: .repeated, value: Value.self))
        }

        mutating func visit<Key: WireMapKey, Value: WireValue>(
            _ name: StaticString, _ values: [Key: Value], sensitive: Bool
        ) throws {
            fields.append(MessageField(name: name.description, label: .map, value: Value.self))
        }
    }
}
