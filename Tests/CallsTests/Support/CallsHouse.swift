import Bus
import CallsCore
import Domain
import Foundation
import Observability
import Runtime
import Store

/// A calls service as its process builds it, on free ports.
final class CallsHouse: Sendable {
    let base: CallDatabase
    let engine: RTPEngineProcess
    let neighbours: Neighbours
    let ownership: TestOwnership
    let counters: Counters
    let parts: CallsParts
    let port: UInt16
    private let relayPort: UInt16

    init(relayPort: UInt16, ringTimeSeconds: UInt32) async throws {
        self.relayPort = relayPort
        base = try await CallDatabase()
        engine = try await RTPEngineProcess(port: relayPort)
        neighbours = Neighbours(.init(ringTimeSeconds: ringTimeSeconds))
        ownership = TestOwnership([try await base.lease(slot: 7)])
        counters = Counters()
        port = relayPort + 3000
        parts = try CallsHouse.parts(
            port: port, relayPort: relayPort, base: base, ownership: ownership, neighbours: neighbours,
            counters: counters)
        for component in parts.components { try await component.start() }
        while await !parts.relay.isReady() {}
    }

    /// The same service in another process, as far as anybody can tell.
    func successor(under lease: SlotLease) throws -> CallsParts {
        try CallsHouse.parts(
            port: port + 2, relayPort: relayPort, base: base, ownership: TestOwnership([lease]),
            neighbours: neighbours, counters: Counters())
    }

    private static func parts(
        port: UInt16, relayPort: UInt16, base: CallDatabase, ownership: TestOwnership, neighbours: Neighbours,
        counters: Counters
    ) throws -> CallsParts {
        try CallsParts(
            sip: ("127.0.0.1", port), relay: ("127.0.0.1", relayPort), region: nil, patience: .milliseconds(50),
            instance: "calls-test", database: base.database, ownership: ownership, channel: neighbours.channel,
            logger: Logger(service: "calls", instance: "calls-test", level: .error), counters: counters)
    }

    func phone() throws -> SIPPhone { try SIPPhone(server: port) }

    func calls() async throws -> [StoredCall] { try await base.storage.calls(.init(limit: 100)) }

    /// Returns once no call, no relay session and no write is left.
    func settle() async {
        while counters.gauge("calls_active").value != 0 || counters.gauge("relay_sessions").value != 0
            || counters.gauge("calls_writes_waiting").value != 0
        {
            await Task.yield()
        }
    }

    func stop() async {
        for component in parts.components.reversed() { await component.stop() }
    }

    func close(_ phones: [SIPPhone]) async {
        for phone in phones { phone.hangUpPhone() }
        await stop()
        await engine.end()
        await base.stop()
    }
}
