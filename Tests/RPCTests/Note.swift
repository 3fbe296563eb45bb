import WireFormat

/// The tests' message. Its wire form is its text; one that starts with a zero byte does not decode.
struct Note: WireMessage {
    static let messageName = "test.Note"

    var text = ""

    init() {}

    init(_ text: String) { self.text = text }

    init(wire: UnsafeRawBufferPointer) throws(WireError) {
        if wire.first == 0 { throw .malformed }
        text = String(decoding: wire, as: UTF8.self)
    }

    func wireBytes() -> [UInt8] { Array(text.utf8) }

    func visitFields(_ visitor: inout some FieldVisitor) throws { try visitor.visit("text", text) }

    init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }
}
