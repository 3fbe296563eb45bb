import Bus
import Domain
import Glibc
import Observability
import RPC
import Store
import ZeroMQ

/// Events appended in transactions of their own by one process, handled by a subscription in another.
enum DurableLoad {
    private struct Node {
        let database: Database
        let membership: Membership
        let bus: EventBus

        init(_ url: String, directory: String, instance: String) async throws {
            var configuration = DatabaseConfiguration(url: url, connections: 12)
            configuration.applicationName = instance
            database = Database(configuration, logger: Main.logger)
            let endpoint = Endpoint(service: "calls", instance: instance, address: "ipc:///nowhere/\(instance)")
            membership = Membership(
                database: database, endpoint: endpoint, slots: false, runDirectory: directory, logger: Main.logger)
            bus = EventBus(
                database: database, membership: membership, livePath: LivePathOptions(runDirectory: directory),
                logger: Main.logger)
            try await database.start()
            try await membership.start()
            try await bus.start()
        }
    }

    /// Keeps `inFlight` events between append and handler.
    static func append(
        _ url: String, directory: String, inFlight: Int, seconds: Int, progress: SharedProgress
    ) async throws {
        let node = try await Node(url, directory: directory, instance: "bench-append")
        while !node.bus.isSequencer { usleep(1000) }
        Main.say("ready")
        while progress.ready == 0 { usleep(1000) }
        // Longer than the handler measures: the runner ends this process once it has its report.
        let stop = MonotonicTime.now() + UInt64(seconds + 5) * 1_000_000_000
        let base = progress.received
        var sent = 0
        while MonotonicTime.now() < stop {
            guard sent - (progress.received - base) < inFlight else {
                usleep(50)
                continue
            }
            sent += 1
            let version = Int64(sent)
            let payload = payload()
            Task {
                do {
                    try await node.database.transaction { transaction in
                        try await transaction.publish(
                            EventDraft(
                                topic: "calls", key: "bench-\(version & 63)", version: version, owner: "bench",
                                type: "bellwire.fabric.v1.Note", payload: payload))
                    }
                } catch {
                    fatalError("cannot append: \(error)")
                }
            }
        }
    }

    private static func payload() -> [UInt8] {
        var bytes = [UInt8](repeating: 7, count: 200)
        let now = MonotonicTime.now()
        bytes.withUnsafeMutableBytes { $0.storeBytes(of: now, as: UInt64.self) }
        return bytes
    }

    static func handle(
        _ url: String, directory: String, seconds: Int, progress: SharedProgress
    ) async throws {
        let node = try await Node(url, directory: directory, instance: "bench-handle")
        var report = LoadReport(seconds: Double(seconds))
        var start = UInt64.max
        var next: UInt64?
        for try await element in node.bus.subscribe(topics: ["calls"]) {
            guard case .event(let event) = element else {
                // The live path between the two processes is up within its first look.
                try await Task.sleep(for: .milliseconds(600))
                progress.markReady()
                continue
            }
            let now = MonotonicTime.now()
            let sent = event.payload.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
            precondition(next == nil || event.position == next, "a gap in the log")
            next = event.position + 1
            progress.receive(1)
            report.total += 1
            if start == .max { start = now + LoadReport.warmUp }
            if now < start { continue }
            if now >= start + UInt64(seconds) * 1_000_000_000 { break }
            report.count += 1
            report.latencies.append(UInt32(clamping: now - sent))
        }
        report.write()
    }
}
