/// Reads a message's fields from a JSON object. Each field is looked up by its JSON name, then by its original one;
/// absent and null are the default. Names that nobody asks for are ignored.
package struct JSONReader {
    private let container: KeyedDecodingContainer<JSONKey>

    package init(_ decoder: any Decoder) throws { container = try decoder.container(keyedBy: JSONKey.self) }

    private func key(_ name: StaticString, _ original: StaticString?) throws -> JSONKey? {
        let key = JSONKey(name)
        if container.contains(key) { return try container.decodeNil(forKey: key) ? nil : key }
        guard let original else { return nil }
        let originalKey = JSONKey(original)
        return try container.contains(originalKey) && !container.decodeNil(forKey: originalKey) ? originalKey : nil
    }

    /// A field without presence.
    package func value<Value: WireValue>(_ name: StaticString, _ original: StaticString? = nil) throws -> Value {
        try optional(name, original) ?? .wireDefault
    }

    /// A field with presence.
    package func optional<Value: WireValue>(_ name: StaticString, _ original: StaticString? = nil) throws -> Value? {
        guard let key = try key(name, original) else { return nil }
        return try container.decode(JSONBox<Value>.self, forKey: key).value
    }

    /// A repeated field.
    package func list<Value: WireValue>(_ name: StaticString, _ original: StaticString? = nil) throws -> [Value] {
        guard let key = try key(name, original) else { return [] }
        return try container.decode([JSONBox<Value>].self, forKey: key).map(\.value)
    }

    /// A map.
    package func map<Key: WireMapKey, Value: WireValue>(
        _ name: StaticString, _ original: StaticString? = nil
    ) throws -> [Key: Value] {
        guard let field = try key(name, original) else { return [:] }
        let entries = try container.nestedContainer(keyedBy: JSONKey.self, forKey: field)
        var values: [Key: Value] = [:]
        for entry in entries.allKeys {
            guard let key = Key(jsonKey: entry.stringValue) else {
                throw DecodingError.dataCorruptedError(
                    forKey: entry, in: entries, debugDescription: "not a key of this map")
            }
            values[key] = try entries.decode(JSONBox<Value>.self, forKey: entry).value
        }
        return values
    }

    /// A member of the oneof `choice`; a second member that is set is refused.
    package func choose<Choice, Value: WireValue>(
        _ choice: inout Choice?, _ wrap: (Value) -> Choice, _ name: StaticString, _ original: StaticString? = nil
    ) throws {
        guard let value: Value = try optional(name, original) else { return }
        guard choice == nil else {
            throw DecodingError.dataCorruptedError(
                forKey: JSONKey(name), in: container, debugDescription: "a second member of one oneof")
        }
        choice = wrap(value)
    }
}
