import Bus
import Runtime
import Store

/// Counts up one thing after the other, and publishes each change in the same transaction. What was confirmed is noted in
/// a file: key and version.
struct Publishing {
    let node: Node

    func run(until stop: StopRequest) async throws {
        let confirmed = try node.file("confirmed")
        while !stop.isRequested {
            let key = "k\(Int.random(in: 0..<Fabric.keys))"
            // Whatever happens to a transaction, its change and its event are both there or neither is.
            if let version = try? await change(key) { confirmed.append("\(key) \(version)") }
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    private func change(_ key: String) async throws -> Int64 {
        try await node.database.transaction { transaction in
            let version = try await transaction.query(
                "UPDATE calls.thing SET version = version + 1 WHERE key = \(key) RETURNING version")[0].int64("version")
            try await transaction.publish(
                EventDraft(
                    topic: "calls", key: key, version: version, owner: "", type: "test.Change", payload: [1, 2, 3]))
            return version
        }
    }
}
