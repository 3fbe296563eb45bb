/// A field's name as a coding key.
struct JSONKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: StaticString) { stringValue = name.description }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }
}

/// Lets a field's value into an `Encoder` or out of a `Decoder` in its proto3 JSON form.
struct JSONBox<Value: WireValue>: Codable {
    let value: Value

    init(_ value: Value) { self.value = value }
    init(from decoder: any Decoder) throws { value = try Value(jsonDecoder: decoder) }
    func encode(to encoder: any Encoder) throws { try value.encodeJSON(to: encoder) }
}
