import Bus
import Domain
import FabricNode
import Observability
import RPC
import Runtime
import Store
import TestSupport

/// Calls the nodes of a system, as the services call each other.
struct FabricClient: Sendable {
    let database: Database
    let membership: Membership
    let client: RPCClient

    init(_ system: FabricSystem) async throws {
        database = Database(
            DatabaseConfiguration(url: system.url, role: "bellwire_cli", connections: 3, patience: .seconds(1)),
            logger: TestPostgres.quiet)
        membership = Membership(observing: database, logger: TestPostgres.quiet)
        client = RPCClient(
            caller: "operator/test", resolver: membership, logger: TestPostgres.quiet, counters: Counters())
        try await database.start()
        try await membership.start()
    }

    func stop() async {
        await client.stop()
        await membership.stop()
        await database.stop()
    }

    var instances: [String] { membership.instances(of: Fabric.service).map(\.instance).sorted() }

    /// Whom it would ask for any of the slots.
    var knownOwners: Set<String?> {
        Set((0..<Slot.count).map { membership.owner(of: Fabric.service, slot: $0)?.instance })
    }

    /// The name of whoever answered.
    func who(within deadline: Duration) async throws -> String {
        let answer: FabricText = try await client.unary(
            Fabric.who, FabricText(), key: nil, CallOptions(deadline: deadline))
        return answer.text
    }

    /// Has a node write a line.
    func note(_ text: String, at instance: String, within deadline: Duration) async throws {
        let _: FabricText = try await client.unary(
            Fabric.note, FabricText(text), key: nil, CallOptions(instance: instance, deadline: deadline))
    }

    /// Who owns the slot, and as of which epoch, by its own word.
    func own(slot: Int, within deadline: Duration = .seconds(600)) async throws -> String {
        let id = BellwireID.make(slot: slot).description
        let answer: FabricText = try await client.unary(
            Fabric.own, FabricText(id), key: id, CallOptions(deadline: deadline))
        return answer.text
    }

    /// By slot.
    func owners() async throws -> [String] {
        var owners: [String] = []
        for slot in 0..<Slot.count { owners.append(try await own(slot: slot)) }
        return owners
    }
}
