/// What a field can hold: the proto3 scalars, enums, messages and times.
public protocol WireValue: Sendable, Equatable {
    /// The value that an absent field has.
    static var wireDefault: Self { get }

    /// Reads the proto3 JSON form.
    init(jsonDecoder decoder: any Decoder) throws

    /// Writes the proto3 JSON form.
    func encodeJSON(to encoder: any Encoder) throws

    /// Appends a form for people and logs.
    func describe(into text: inout String)
}
