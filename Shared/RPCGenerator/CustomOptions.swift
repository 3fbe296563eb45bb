import CProtobufC

/// The options of bellwire/options/v1/options.proto. protobuf-c knows no extensions: they are among the unknown fields.
struct CustomOptions {
    private var numbers: [UInt32: UInt64] = [:]
    private var textLists: [UInt32: [String]] = [:]

    /// - Parameter message: a `MethodOptions` or `FieldOptions` struct of protobuf-c.
    init(_ message: UnsafeRawPointer?) {
        guard let base = message?.load(as: ProtobufCMessage.self) else { return }
        for field in UnsafeBufferPointer(start: base.unknown_fields, count: Int(base.n_unknown_fields)) {
            var rest = UnsafeBufferPointer(start: field.data, count: field.len)[...]
            let number = Self.varint(&rest)
            if field.wire_type == PROTOBUF_C_WIRE_TYPE_VARINT {
                numbers[field.tag] = number
            } else if field.wire_type == PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED {
                textLists[field.tag, default: []].append(String(decoding: rest, as: UTF8.self))
            }
        }
    }

    func number(_ tag: UInt32) -> UInt64? { numbers[tag] }

    func texts(_ tag: UInt32) -> [String] { textLists[tag] ?? [] }

    private static func varint(_ bytes: inout Slice<UnsafeBufferPointer<UInt8>>) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while let byte = bytes.popFirst() {
            value |= UInt64(byte & 0x7f) << shift
            shift += 7
            if byte < 0x80 { break }
        }
        return value
    }
}
