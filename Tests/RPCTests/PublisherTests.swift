import Foundation
import Glibc
import Synchronization
import Testing
import ZeroMQ

@Suite("Publisher and subscriber") struct PublisherTests {
    @Test("a subscriber hears what its prefix asks for", .timeLimit(.minutes(1))) func prefix() async throws {
        let path = "/tmp/bw-pub-\(UUID().uuidString.prefix(8))"
        let address = "ipc://\(path)"
        defer { unlink(path) }
        let publisher = try await Publisher(address: address)
        let (heard, connected) = (Gate(), Gate())
        let messages = Mutex<[String]>([])
        let subscriber = try await Subscriber(prefix: Array("a".utf8)) { message in
            let text = String(decoding: message, as: UTF8.self)
            connected.open()
            if text == "a end" { heard.open() } else if text != "a?" { messages.withLock { $0.append(text) } }
        }
        subscriber.connect(address)
        // What is published before the subscription has arrived is lost: that is PUB/SUB.
        let knocking = Task {
            while !Task.isCancelled {
                publisher.publish(Array("a?".utf8))
                await Task.yield()
            }
        }
        await connected.wait()
        knocking.cancel()
        await knocking.value
        for text in ["a1", "b1", "a2", "a end"] { publisher.publish(Array(text.utf8)) }
        await heard.wait()
        #expect(messages.withLock { $0 } == ["a1", "a2"])
        await subscriber.close()
        await publisher.close()
    }
}
