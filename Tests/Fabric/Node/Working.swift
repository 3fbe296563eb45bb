import Bus
import Runtime
import Store

/// A member of a consumer group whose work lies in the database.
struct Working {
    let node: Node

    func run(until stop: StopRequest) async throws {
        let name = node.name
        let group = node.bus.consume(group: "proof", topics: ["calls"], partitions: 4) { event, transaction in
            try await transaction.execute(
                """
                INSERT INTO calls.done (position, key, version, who)
                VALUES (\(Int64(event.position)), \(event.key), \(event.version), \(name))
                """)
        }
        while !stop.isRequested {
            do {
                try await group.start()
                break
            } catch {
                try await Task.sleep(for: .milliseconds(100))
            }
        }
        await stop.wait()
        await group.stop()
    }
}
