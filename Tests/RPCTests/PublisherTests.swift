import Foundation
import Glibc
import Synchronization
import Testing
import ZeroMQ

@Suite("Publisher and subscriber") struct PublisherTests {
    @Test(
        "A subscriber hears its topic, all of it in order, however much is published at one time",
        .timeLimit(.minutes(1)))
    func topic() async throws {
        let path = "/tmp/bw-pub-\(UUID().uuidString.prefix(8))"
        let address = "ipc://\(path)"
        defer { unlink(path) }
        let publisher = try await Publisher(address: address)
        let (heard, connected) = (Gate(), Gate())
        let messages = Mutex<[[UInt8]]>([])
        let (end, knock): ([UInt8], [UInt8]) = (Array("end".utf8), Array("?".utf8))
        let subscriber = try await Subscriber(topic: 1) { message in
            connected.open()
            if message == end { heard.open() } else if message != knock { messages.withLock { $0.append(message) } }
        }
        subscriber.connect(address)
        // What is published before the subscription has arrived is lost: that is PUB/SUB.
        let knocking = Task {
            while !Task.isCancelled {
                publisher.publish(knock, topic: 1)
                await Task.yield()
            }
        }
        await connected.wait()
        knocking.cancel()
        await knocking.value
        // Of all sizes, so that some fill a batch, some more than one, and other topics lie between them.
        let sent = (0..<2000).map { number in
            [UInt8](repeating: UInt8(number & 255), count: number % 50 == 0 ? number * 10 : number % 60)
        }
        for (number, message) in sent.enumerated() {
            if number % 7 == 0 { publisher.publish(message, topic: 2) }
            publisher.publish(message, topic: 1)
        }
        publisher.publish(end, topic: 1)
        await heard.wait()
        #expect(messages.withLock { $0 } == sent)
        await subscriber.close()
        await publisher.close()
    }

    @Test("Messages of one topic share a batch until it is full; a larger one has its own; garbage is not read")
    func batches() {
        var batch = MessageBatch(topic: 7, first: [1, 2])
        let taken = [batch.append([3], topic: 8), batch.append([], topic: 7), batch.append([3], topic: 7)]
        #expect(taken == [false, true, true])
        #expect(batch.bytes == [7, 2, 0, 0, 0, 1, 2, 0, 0, 0, 0, 1, 0, 0, 0, 3])
        func read(_ bytes: [UInt8]) -> [[UInt8]] {
            var messages: [[UInt8]] = []
            bytes.withUnsafeBytes { MessageBatch.read($0) { messages.append($0) } }
            return messages
        }
        #expect(read(batch.bytes) == [[1, 2], [], [3]])
        #expect(read(batch.bytes.dropLast()) == [[1, 2], []])
        #expect(read([7, 255, 255, 255, 255, 1]) == [])
        #expect(read([7]) == [] && read([]) == [])
        while batch.append([UInt8](repeating: 0, count: 1000), topic: 7) {}
        #expect(batch.bytes.count > MessageBatch.capacity - 1004 && batch.bytes.count <= MessageBatch.capacity)
        let large = MessageBatch(topic: 7, first: [UInt8](repeating: 5, count: 100_000))
        #expect(read(large.bytes) == [[UInt8](repeating: 5, count: 100_000)])
    }
}
