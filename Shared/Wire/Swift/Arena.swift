internal import CProtobufC
import Glibc

/// A bump allocator for the C form of one message: what protobuf-c allocates while it unpacks, or what a Swift value
/// is copied to before it is packed. Everything is freed at once when `with` returns; no pointer into it leaves the
/// call.
///
/// Every allocation is preceded by its size, so the length of a text is known without looking for its end.
package struct Arena {
    /// The allocator comes first: its address is what protobuf-c hands back as `allocator_data`.
    struct State {
        var allocator: ProtobufCAllocator
        var next: UnsafeMutableRawPointer
        var end: UnsafeMutableRawPointer
        /// The newest block; each block begins with the address of the one before it and its own size.
        var block: UnsafeMutableRawPointer
        /// Bytes that may still be taken from the system.
        var budget: Int
        var nextBlockBytes: Int
    }

    let state: UnsafeMutablePointer<State>

    private static let blockHeaderBytes = 16

    /// Runs `body` with an empty arena.
    ///
    /// - Parameters:
    ///   - expected: how many bytes will probably be needed.
    ///   - limit: how many bytes at most; beyond that protobuf-c is told that memory is exhausted.
    package static func with<Result, Failure: Error>(
        expected: Int, limit: Int, _ body: (Arena) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let bytes = blockHeaderBytes + MemoryLayout<State>.size + expected
        guard let block = malloc(bytes) else { fatalError("out of memory") }
        block.storeBytes(of: nil, as: UnsafeMutableRawPointer?.self)
        block.storeBytes(of: bytes, toByteOffset: 8, as: Int.self)
        let memory = (block + blockHeaderBytes).bindMemory(to: State.self, capacity: 1)
        memory.initialize(
            to: State(
                allocator: ProtobufCAllocator(alloc: allocateInArena, free: { _, _ in }, allocator_data: memory),
                next: UnsafeMutableRawPointer(memory + 1), end: block + bytes, block: block, budget: limit,
                nextBlockBytes: 2 * bytes))
        defer { freeBlocks(memory.pointee.block) }
        return try body(Arena(state: memory))
    }

    private init(state: UnsafeMutablePointer<State>) { self.state = state }

    private static func freeBlocks(_ newest: UnsafeMutableRawPointer) {
        var next: UnsafeMutableRawPointer? = newest
        while let block = next {
            next = block.load(as: UnsafeMutableRawPointer?.self)
            free(block)
        }
    }

    /// protobuf-c's view of the arena.
    var allocator: UnsafeMutablePointer<ProtobufCAllocator> {
        UnsafeMutableRawPointer(state).assumingMemoryBound(to: ProtobufCAllocator.self)
    }

    /// `bytes` bytes, 8-byte aligned; nil when the limit is reached.
    package func allocateIfAllowed(_ bytes: Int) -> UnsafeMutableRawPointer? {
        let needed = (bytes &+ 15) & ~7
        let start = state.pointee.next
        // Unsigned: a size that overflowed is larger than anything.
        guard UInt(bitPattern: needed) <= UInt(bitPattern: state.pointee.end - start) else {
            return allocateFromNewBlock(bytes, needed: needed)
        }
        state.pointee.next = start + needed
        start.storeBytes(of: bytes, as: Int.self)
        return start + 8
    }

    func allocateFromNewBlock(_ bytes: Int, needed: Int) -> UnsafeMutableRawPointer? {
        guard bytes >= 0, bytes <= state.pointee.budget else { return nil }
        let blockBytes = max(needed + Self.blockHeaderBytes, state.pointee.nextBlockBytes)
        guard let block = malloc(blockBytes) else { return nil }
        state.pointee.budget -= blockBytes
        state.pointee.nextBlockBytes = min(2 * blockBytes, 1 << 20)
        block.storeBytes(of: state.pointee.block, as: UnsafeMutableRawPointer?.self)
        block.storeBytes(of: blockBytes, toByteOffset: 8, as: Int.self)
        state.pointee.block = block
        state.pointee.next = block + Self.blockHeaderBytes
        state.pointee.end = block + blockBytes
        return allocateIfAllowed(bytes)
    }

    /// Memory for what is written, which has no limit but the machine's.
    package func allocate<Element>(_ type: Element.Type, count: Int) -> UnsafeMutablePointer<Element> {
        guard let memory = allocateIfAllowed(count * MemoryLayout<Element>.stride) else {
            fatalError("out of memory")
        }
        return memory.bindMemory(to: Element.self, capacity: count)
    }

    /// True when `pointer` lies in one of the arena's blocks.
    func contains(_ pointer: UnsafeRawPointer) -> Bool {
        var next: UnsafeMutableRawPointer? = state.pointee.block
        while let block = next {
            let end = block + block.load(fromByteOffset: 8, as: Int.self)
            if pointer >= UnsafeRawPointer(block), pointer < UnsafeRawPointer(end) { return true }
            next = block.load(as: UnsafeMutableRawPointer?.self)
        }
        return false
    }
}

private func allocateInArena(_ state: UnsafeMutableRawPointer?, _ bytes: Int) -> UnsafeMutableRawPointer? {
    guard let state else { return nil }
    return Arena(protobufC: state).allocateIfAllowed(bytes)
}

extension Arena {
    fileprivate init(protobufC data: UnsafeMutableRawPointer) {
        state = data.assumingMemoryBound(to: State.self)
    }
}
