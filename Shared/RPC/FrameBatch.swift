import Glibc
import ZeroMQ

/// Frames to one peer, encoded one behind the other, so that what one turn of the loop has made goes out as one ZeroMQ
/// message: libzmq's cost is by the message. A message is a single frame as it is, or
///
///      byte  0   version, 1
///            1   10, which is no `FrameKind`
///         2..3   0
///
///     and then for each frame its length in 4 bytes, little-endian, and the frame. Socket thread only.
package final class FrameBatch {
    package static let mark: UInt8 = 10
    package static let headerBytes = 4
    /// A message holds no more than so much, unless it is a single larger frame.
    package static let capacity = 66 << 10
    /// What a batch begins with; few are ever larger.
    private static let firstCapacity = 8 << 10
    /// From here on a message is handed over instead of copied.
    private static let copiedBytes = 2048

    /// Malloc's; nil while nothing waits.
    private var memory: UnsafeMutableRawPointer?
    private var allocated = 0
    private var used = 0
    package private(set) var count = 0

    package init() {}

    deinit { free(memory) }

    package var isEmpty: Bool { count == 0 }

    /// Encodes the frame with its payload behind the others. False: it does not fit any more. An empty batch takes
    /// any frame.
    package func append(_ frame: Frame, _ payload: UnsafeRawBufferPointer) -> Bool {
        let bytes = frame.headerCount + payload.count
        guard let target = reserve(bytes) else { return false }
        frame.encode(to: target)
        if let source = payload.baseAddress, !payload.isEmpty {
            (target + frame.headerCount).copyMemory(from: source, byteCount: payload.count)
        }
        return true
    }

    /// Room for a frame of so many bytes behind the others.
    private func reserve(_ bytes: Int) -> UnsafeMutableRawPointer? {
        let start = isEmpty ? FrameBatch.headerBytes : used
        let end = start + LengthPrefix.bytes + bytes
        guard isEmpty || end <= FrameBatch.capacity else { return nil }
        if end > allocated { grow(to: end) }
        let memory = memory.unsafelyUnwrapped
        memory.storeBytes(of: UInt32(truncatingIfNeeded: bytes).littleEndian, toByteOffset: start, as: UInt32.self)
        used = end
        count += 1
        return memory + start + LengthPrefix.bytes
    }

    private func grow(to needed: Int) {
        allocated = max(needed, needed <= FrameBatch.firstCapacity ? FrameBatch.firstCapacity : FrameBatch.capacity)
        guard let larger = realloc(memory, allocated) else { fatalError("out of memory") }
        memory = larger
    }

    private var message: UnsafeMutableRawBufferPointer {
        let memory = memory.unsafelyUnwrapped
        guard count > 1 else {
            let start = FrameBatch.headerBytes + LengthPrefix.bytes
            return UnsafeMutableRawBufferPointer(start: memory + start, count: used - start)
        }
        let header = UInt32(Frame.version) | UInt32(FrameBatch.mark) << 8
        memory.storeBytes(of: header.littleEndian, as: UInt32.self)
        return UnsafeMutableRawBufferPointer(start: memory, count: used)
    }

    /// Sends what was appended as one message. The batch is empty then, whatever the result.
    func send(on socket: ZeroMQSocket) -> ZeroMQSocket.SendResult {
        guard let memory, !isEmpty else { return .sent }
        let message = message
        removeAll()
        guard message.count > FrameBatch.copiedBytes else { return socket.send(UnsafeRawBufferPointer(message)) }
        self.memory = nil
        allocated = 0
        return socket.send(message, freeing: memory)
    }

    /// The message as bytes of their own; the batch is empty then.
    package func take() -> [UInt8] {
        guard !isEmpty else { return [] }
        defer { removeAll() }
        return [UInt8](message)
    }

    package func removeAll() {
        used = 0
        count = 0
    }

    /// Reads a message: calls `body` with each frame in order, in place. Returns how many were garbage; what follows
    /// garbage in a batch is not read.
    package static func read(_ message: UnsafeRawBufferPointer, _ body: (Frame) -> Void) -> Int {
        guard message.count >= headerBytes, message[1] == mark else {
            guard let frame = Frame(message) else { return 1 }
            body(frame)
            return 0
        }
        guard message[0] == Frame.version, message[2] == 0, message[3] == 0 else { return 1 }
        let isWhole = LengthPrefix.read(message, from: headerBytes) {
            guard let frame = Frame($0) else { return false }
            body(frame)
            return true
        }
        return isWhole ? 0 : 1
    }
}
