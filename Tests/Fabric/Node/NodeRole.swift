import Runtime

/// What a node does, until SIGTERM. Each role may sequence events, as every service may.
public enum NodeRole: String, CaseIterable, Sendable {
    /// Changes things, and publishes each change.
    case publisher
    /// Nothing more.
    case sequencer
    /// Follows the log, and goes on where its predecessor was.
    case subscriber
    /// Works in a consumer group.
    case worker
    /// Acts for its share of the slots, and answers calls.
    case owner

    /// Returns the exit status.
    public func run(name: String, url: String, folder: String) async -> Int32 {
        do {
            let stop = try StopRequest(watchingSignals: true)
            guard
                let node = try await Node.start(name, url: url, folder: folder, slots: self == .owner, stop: stop)
            else { return 0 }
            switch self {
            case .publisher: try await Publishing(node: node).run(until: stop)
            case .sequencer: await stop.wait()
            case .subscriber: try await Following(node: node).run(until: stop)
            case .worker: try await Working(node: node).run(until: stop)
            case .owner: try await Owning(node: node).run(until: stop)
            }
            await node.stop()
            return 0
        } catch {
            print("\(name): \(error)")
            return 1
        }
    }
}
