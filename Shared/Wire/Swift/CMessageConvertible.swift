package import CProtobufC
package import WireFormat

/// A generated message's way to and from its protobuf-c struct.
package protocol CMessageConvertible: WireMessage {
    associatedtype CMessage

    /// protobuf-c's description of `CMessage`.
    static var cDescriptor: UnsafePointer<ProtobufCMessageDescriptor> { get }

    /// Copies out of a struct that `arena` holds.
    init(_ c: UnsafePointer<CMessage>, _ arena: Arena) throws(WireError)

    /// Initialises `c` and fills it; what it points to is in `arena`.
    func write(to c: UnsafeMutablePointer<CMessage>, _ arena: Arena)
}

extension CMessageConvertible {
    /// What `init(wire:)` of a generated message does.
    package static func decode(_ wire: UnsafeRawBufferPointer) throws(WireError) -> Self {
        guard wire.count <= WireLimits.maximumBytes else {
            throw .tooLarge(bytes: wire.count, limit: WireLimits.maximumBytes)
        }
        return try Arena.with(
            expected: 512 + min(4 * wire.count, wire.count + 4096), limit: WireLimits.maximumDecodedBytes
        ) { arena throws(WireError) in
            guard let c = arena.unpack(cDescriptor, wire) else { throw .malformed }
            return try Self(UnsafePointer(c.assumingMemoryBound(to: CMessage.self)), arena)
        }
    }

    /// What `wireBytes()` of a generated message does.
    package func encoded() -> [UInt8] {
        Arena.with(expected: 1024, limit: .max) { arena in
            let c = arena.allocate(CMessage.self, count: 1)
            write(to: c, arena)
            return arena.packed(UnsafeRawPointer(c))
        }
    }
}

extension Arena {
    /// Unpacks into this arena; nil when the bytes are malformed or ask for too much.
    package func unpack(
        _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>, _ wire: UnsafeRawBufferPointer
    ) -> UnsafeRawPointer? {
        UnsafeRawPointer(
            protobuf_c_message_unpack(descriptor, allocator, wire.count, wire.bindMemory(to: UInt8.self).baseAddress))
    }

    /// Packs the struct at `message`.
    package func packed(_ message: UnsafeRawPointer) -> [UInt8] {
        let message = message.assumingMemoryBound(to: ProtobufCMessage.self)
        let size = protobuf_c_message_get_packed_size(message)
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = size == 0 ? 0 : protobuf_c_message_pack(message, buffer.baseAddress)
        }
    }
}

/// Reads the address of a message's descriptor from an initialised struct: taken directly, it is wrong in release
/// builds.
package func descriptor<C>(
    _ initialise: (UnsafeMutablePointer<C>?) -> Void
) -> UnsafePointer<ProtobufCMessageDescriptor> {
    let memory = UnsafeMutablePointer<C>.allocate(capacity: 1)
    defer { memory.deallocate() }
    initialise(memory)
    return UnsafeRawPointer(memory).load(as: ProtobufCMessage.self).descriptor
}
