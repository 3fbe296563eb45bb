public import WireFormat

/// The one message of nodes: its wire form is its text.
public struct FabricText: WireMessage {
    public static let messageName = "test.v1.Text"

    public var text = ""

    public init() {}

    public init(_ text: String) { self.text = text }

    public init(wire: UnsafeRawBufferPointer) throws(WireError) { text = String(decoding: wire, as: UTF8.self) }

    public func wireBytes() -> [UInt8] { Array(text.utf8) }

    public func visitFields(_ visitor: inout some FieldVisitor) throws { try visitor.visit("text", text) }

    public init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }
}
