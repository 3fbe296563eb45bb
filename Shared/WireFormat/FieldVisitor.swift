/// Sees a message's fields one by one; how JSON, log texts and tables are made.
public protocol FieldVisitor {
    /// A field without presence: it is its default when absent. `name` is the JSON name.
    mutating func visit<Value: WireValue>(_ name: StaticString, _ value: Value, sensitive: Bool) throws

    /// A field with presence: a message, an `optional` scalar, a member of a oneof.
    mutating func visit<Value: WireValue>(_ name: StaticString, _ value: Value?, sensitive: Bool) throws

    /// A repeated field.
    mutating func visit<Value: WireValue>(_ name: StaticString, _ values: [Value], sensitive: Bool) throws

    /// A map.
    mutating func visit<Key: WireMapKey, Value: WireValue>(
        _ name: StaticString, _ values: [Key: Value], sensitive: Bool
    ) throws
}

extension FieldVisitor {
    public mutating func visit<Value: WireValue>(_ name: StaticString, _ value: Value) throws {
        try visit(name, value, sensitive: false)
    }

    public mutating func visit<Value: WireValue>(_ name: StaticString, _ value: Value?) throws {
        try visit(name, value, sensitive: false)
    }

    public mutating func visit<Value: WireValue>(_ name: StaticString, _ values: [Value]) throws {
        try visit(name, values, sensitive: false)
    }

    public mutating func visit<Key: WireMapKey, Value: WireValue>(
        _ name: StaticString, _ values: [Key: Value]
    ) throws {
        try visit(name, values, sensitive: false)
    }
}
