/// A generated protobuf message: a plain value, converted to and from the wire by protobuf-c.
///
/// `Codable` is the proto3 JSON mapping: lowerCamel names, 64-bit integers as strings, bytes in base64, times in RFC
/// 3339, enum values by name, default values left out; input may use original names and unknown fields are ignored.
/// `description` is safe for logs: fields with the option `sensitive` are hidden.
public protocol WireMessage: WireValue, Codable, CustomStringConvertible {
    /// The full protobuf name, as in `bellwire.calls.v1.Call`.
    static var messageName: String { get }

    /// Every field at its default.
    init()

    /// Decodes `wire`; unknown fields are dropped.
    init(wire: UnsafeRawBufferPointer) throws(WireError)

    /// The encoded message. Maps are in key order, so equal messages give equal bytes.
    func wireBytes() -> [UInt8]

    /// Shows every field to `visitor`, in field order; of a oneof, the member that is set.
    func visitFields(_ visitor: inout some FieldVisitor) throws

    /// For each member of each oneof a message with that member set and nothing else: what there is to choose from.
    static var oneofSamples: [Self] { get }
}

extension WireMessage {
    /// Decodes a whole array of bytes.
    @inlinable
    public init(wireBytes: [UInt8]) throws(WireError) {
        let result = unsafe wireBytes.withUnsafeBytes { bytes in
            Result { () throws(WireError) in try unsafe Self(wire: bytes) }
        }
        self = try result.get()
    }

    public static var wireDefault: Self { Self() }

    public static var oneofSamples: [Self] { [] }

    public init(jsonDecoder decoder: any Decoder) throws { try self.init(from: decoder) }

    public func encodeJSON(to encoder: any Encoder) throws { try encode(to: encoder) }

    public func describe(into text: inout String) { text += description }

    /// The message's short name with the fields that are set; sensitive ones are hidden.
    public var description: String {
        var redacted = RedactedText(messageName: Self.messageName)
        try? visitFields(&redacted)
        return redacted.finished()
    }

    public func encode(to encoder: any Encoder) throws {
        var writer = JSONWriter(encoder)
        try visitFields(&writer)
    }
}
