/// Writes a message's fields as a JSON object; defaults are left out.
struct JSONWriter: FieldVisitor {
    private var container: KeyedEncodingContainer<JSONKey>

    init(_ encoder: any Encoder) { container = encoder.container(keyedBy: JSONKey.self) }

    mutating func visit<Value: WireValue>(_ name: StaticString, _ value: Value, sensitive: Bool) throws {
        guard value != .wireDefault else { return }
        try container.encode(JSONBox(value), forKey: JSONKey(name))
    }

    mutating func visit<Value: WireValue>(_ name: StaticString, _ value: Value?, sensitive: Bool) throws {
        guard let value else { return }
        try container.encode(JSONBox(value), forKey: JSONKey(name))
    }

    mutating func visit<Value: WireValue>(_ name: StaticString, _ values: [Value], sensitive: Bool) throws {
        guard !values.isEmpty else { return }
        try container.encode(values.map(JSONBox.init), forKey: JSONKey(name))
    }

    mutating func visit<Key: WireMapKey, Value: WireValue>(
        _ name: StaticString, _ values: [Key: Value], sensitive: Bool
    ) throws {
        guard !values.isEmpty else { return }
        var entries = container.nestedContainer(keyedBy: JSONKey.self, forKey: JSONKey(name))
        for (key, value) in values {
            try entries.encode(JSONBox(value), forKey: JSONKey(stringValue: key.jsonKey))
        }
    }
}
