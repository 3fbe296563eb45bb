package import CProtobufC
import Glibc
package import WireFormat

/// From the C form, as protobuf-c unpacked it into this arena, to Swift values.
extension Arena {
    /// A text: UTF-8 without U+0000.
    package func text(_ pointer: UnsafeMutablePointer<CChar>?) throws(WireError) -> String {
        guard let pointer else { return "" }
        if pointer.pointee == 0 {
            // protobuf-c's own empty string, an empty text, or one that begins with U+0000.
            guard !contains(pointer) || size(of: pointer) == 1 else { throw .invalidText }
            return ""
        }
        guard strlen(pointer) == size(of: pointer) - 1, let text = String(validatingCString: pointer) else {
            throw .invalidText
        }
        return text
    }

    private func size(of allocation: UnsafeMutablePointer<CChar>) -> Int {
        UnsafeRawPointer(allocation).load(fromByteOffset: -8, as: Int.self)
    }

    package func bytes(_ data: ProtobufCBinaryData) -> [UInt8] {
        [UInt8](UnsafeBufferPointer(start: data.data, count: data.len))
    }

    package func bool(_ value: protobuf_c_boolean) -> Bool { value != 0 }

    package func open<Enum: WireEnum, C: RawRepresentable>(_ value: C) -> Enum where C.RawValue: FixedWidthInteger {
        Enum(rawValue: Int32(truncatingIfNeeded: value.rawValue))
    }

    package func message<Message: CMessageConvertible>(
        _ pointer: UnsafeMutablePointer<Message.CMessage>?
    ) throws(WireError) -> Message? {
        guard let pointer else { return nil }
        return try Message(UnsafePointer(pointer), self)
    }

    /// The message that a member of a oneof or a map's entry holds.
    package func present<Message: CMessageConvertible>(
        _ pointer: UnsafeMutablePointer<Message.CMessage>?
    ) throws(WireError) -> Message {
        try message(pointer) ?? Message()
    }

    /// A repeated number.
    package func list<Number: Numeric>(_ pointer: UnsafeMutablePointer<Number>?, _ count: Int) -> [Number] {
        [Number](UnsafeBufferPointer(start: pointer, count: count))
    }

    /// A repeated field, element by element.
    package func list<C, Element>(
        _ pointer: UnsafeMutablePointer<C>?, _ count: Int, _ convert: (C) throws(WireError) -> Element
    ) throws(WireError) -> [Element] {
        guard let pointer, count > 0 else { return [] }
        var elements: [Element] = []
        elements.reserveCapacity(count)
        for index in 0..<count { elements.append(try convert(pointer[index])) }
        return elements
    }

    /// A map; of entries with one key the last wins.
    package func map<C, Key: WireMapKey, Value>(
        _ pointer: UnsafeMutablePointer<UnsafeMutablePointer<C>?>?, _ count: Int,
        _ convert: (UnsafeMutablePointer<C>) throws(WireError) -> (Key, Value)
    ) throws(WireError) -> [Key: Value] {
        guard let pointer, count > 0 else { return [:] }
        var values = [Key: Value](minimumCapacity: count)
        for index in 0..<count {
            guard let entry = pointer[index] else { continue }
            let (key, value) = try convert(entry)
            values[key] = value
        }
        return values
    }
}
