package import CProtobufC
import Glibc
package import WireFormat

/// From Swift values to the C form in this arena, for protobuf-c to pack.
extension Arena {
    /// A text; U+0000, which C cannot hold, becomes U+FFFD.
    package func text(_ text: String) -> UnsafeMutablePointer<CChar> {
        var text = text
        if let copy = text.withUTF8(copy) { return copy }
        text.unicodeScalars.replaceSubrange(
            text.startIndex..., with: text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 })
        return text.withUTF8(copy) ?? allocate(CChar.self, count: 1)
    }

    /// Nil when there is a zero among the bytes.
    private func copy(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeMutablePointer<CChar>? {
        let copy = allocate(CChar.self, count: bytes.count + 1)
        if let start = bytes.baseAddress, bytes.count > 0 {
            guard memchr(start, 0, bytes.count) == nil else { return nil }
            memcpy(copy, start, bytes.count)
        }
        copy[bytes.count] = 0
        return copy
    }

    package func bytes(_ bytes: [UInt8]) -> ProtobufCBinaryData {
        guard !bytes.isEmpty else { return ProtobufCBinaryData(len: 0, data: nil) }
        let copy = allocate(UInt8.self, count: bytes.count)
        copy.update(from: bytes, count: bytes.count)
        return ProtobufCBinaryData(len: bytes.count, data: copy)
    }

    package func bool(_ value: Bool) -> protobuf_c_boolean { value ? 1 : 0 }

    /// A C enum: the value of an open one, or which member of a oneof is set.
    package func number<C: RawRepresentable>(_ value: Int32) -> C where C.RawValue: FixedWidthInteger {
        C(rawValue: C.RawValue(truncatingIfNeeded: value)).unsafelyUnwrapped
    }

    package func message<Message: CMessageConvertible>(
        _ message: Message?
    ) -> UnsafeMutablePointer<Message.CMessage>? {
        guard let message else { return nil }
        let memory = allocate(Message.CMessage.self, count: 1)
        message.write(to: memory, self)
        return memory
    }

    /// A repeated field.
    package func list<C, Element>(_ elements: [Element], _ convert: (Element) -> C) -> UnsafeMutablePointer<C>? {
        guard !elements.isEmpty else { return nil }
        let memory = allocate(C.self, count: elements.count)
        for index in elements.indices { (memory + index).initialize(to: convert(elements[index])) }
        return memory
    }

    /// A map, in key order.
    package func map<C, Key: WireMapKey, Value>(
        _ values: [Key: Value], _ fill: (UnsafeMutablePointer<C>, Key, Value) -> Void
    ) -> UnsafeMutablePointer<UnsafeMutablePointer<C>?>? {
        list(values.sorted { Key.comesFirst($0.key, $1.key) }) { entry in
            let memory = allocate(C.self, count: 1)
            fill(memory, entry.key, entry.value)
            return memory
        }
    }
}
