/// What is published of one topic at one time goes out as one ZeroMQ message, for libzmq's cost is by the message:
///
///      byte  0   topic
///
///     and then for each message its length in 4 bytes, little-endian, and the message.
package struct MessageBatch: Sendable {
    /// A batch holds no more than so many bytes, unless it is a single larger message.
    package static let capacity = 16 << 10

    package let topic: UInt8
    package private(set) var bytes: [UInt8]

    package init(topic: UInt8, first message: [UInt8]) {
        self.topic = topic
        bytes = []
        bytes.reserveCapacity(1 + LengthPrefix.bytes + message.count)
        bytes.append(topic)
        write(message)
    }

    /// False: it is of another topic, or does not fit any more.
    package mutating func append(_ message: [UInt8], topic: UInt8) -> Bool {
        guard topic == self.topic,
            bytes.count + LengthPrefix.bytes + message.count <= MessageBatch.capacity
        else { return false }
        write(message)
        return true
    }

    private mutating func write(_ message: [UInt8]) {
        withUnsafeBytes(of: UInt32(message.count).littleEndian) { bytes.append(contentsOf: $0) }
        bytes += message
    }

    /// Calls `body` with each message in order. What follows garbage is not read.
    package static func read(_ batch: UnsafeRawBufferPointer, _ body: ([UInt8]) -> Void) {
        _ = LengthPrefix.read(batch, from: 1) {
            body([UInt8]($0))
            return true
        }
    }
}
