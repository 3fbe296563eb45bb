import Bus
import Domain
import Runtime

/// A subscriber that notes what it has seen in a file, and goes on behind its last line: position, key, version, token.
struct Following {
    let node: Node

    func run(until stop: StopRequest) async throws {
        let reader = Task { try await follow() }
        await stop.wait()
        reader.cancel()
        _ = try? await reader.value
    }

    private func follow() async throws {
        let file = try node.file("seen")
        var token = file.lines.last?.split(separator: " ").last.flatMap { ResumeToken(String($0)) }
        while token == nil {
            token = try? await EventLog.start(in: node.database)
            if token == nil { try await Task.sleep(for: .milliseconds(100)) }
        }
        for try await element in node.bus.subscribe(after: token) {
            switch element {
            case .subscribed: break
            case .event(let event): file.append("\(event.position) \(event.key) \(event.version) \(event.token)")
            case .reset(let token, let reason): file.append("reset \(reason) \(token)")
            }
        }
    }
}
