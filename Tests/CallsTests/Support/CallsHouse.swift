import Bus
import CallsCore
import Domain
import Foundation
import Observability
import Runtime
import SIP
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

    /// - Parameter isForGood: its stop ends its calls.
    init(ringTimeSeconds: UInt32, isForGood: Bool = true) async throws {
        base = try await CallDatabase()
        engine = try await RTPEngineProcess()
        neighbours = Neighbours(.init(ringTimeSeconds: ringTimeSeconds))
        let lease = try await base.lease(slot: 7)
        ownership = TestOwnership([lease])
        counters = Counters()
        parts = try CallsHouse.parts(
            port: 0, relayPort: engine.port, base: base, ownership: ownership, neighbours: neighbours,
            isForGood: isForGood, counters: counters)
        await parts.stations.acquired(lease)
        for component in parts.components { try await component.start() }
        port = parts.stations.station(slot: 7)?.endpoint.port ?? 0
        while await !parts.relay.isReady() {}
    }

    /// The same service in another process, as far as anybody can tell.
    func successor(port: UInt16, under lease: SlotLease) throws -> CallsParts {
        try CallsHouse.parts(
            port: port, relayPort: engine.port, base: base, ownership: TestOwnership([lease]),
            neighbours: neighbours, counters: Counters())
    }

    private static func parts(
        port: UInt16, relayPort: UInt16, base: CallDatabase, ownership: TestOwnership, neighbours: Neighbours,
        isForGood: Bool = true, counters: Counters
    ) throws -> CallsParts {
        try CallsParts(
            sip: [SocketPlace(host: "127.0.0.1", port: port)], limits: CallLimits(), relays: [("127.0.0.1", relayPort)],
            region: nil, patience: .milliseconds(50), isForGood: { isForGood }, instance: "calls-test",
            database: base.database, ownership: ownership, channel: neighbours.channel,
            logger: Logger(service: "calls", instance: "calls-test", level: .error), counters: counters)
    }

    func phone() throws -> SIPPhone { try SIPPhone(server: port) }

    func calls() async throws -> [StoredCall] { try await base.storage.calls(.init(limit: 100)) }

    /// How far the oldest call of slot 7 has got, as stored.
    var phase: CallStateMachine.Phase? {
        get async throws {
            try await base.storage.liveCalls(slot: 7, after: nil, limit: 1).first?.continuation?.machine.phase
        }
    }

    /// Returns once no call, no relay session and no write is left.
    func settle() async {
        while parts.registry.count != 0 || counters.gauge("calls_active").value != 0
            || counters.gauge("relay_sessions").value != 0
            || counters.gauge("calls_writes_waiting").value != 0
        {
            try? await Task.sleep(for: .milliseconds(2))
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
