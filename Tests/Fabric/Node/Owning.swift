import Bus
import Domain
import Observability
import RPC
import Runtime
import Store
import ZeroMQ

/// Acts for each of its slots, again and again: outward, by a line in a file that all nodes share, and by a write that its
/// lease fences. Beside it a careless twin that never asks whether a lease still stands, and whom only the fence stops.
struct Owning {
    let node: Node

    func run(until stop: StopRequest) async throws {
        let counters = Counters()
        let server = RPCServer(
            service: "\(Fabric.service)/\(node.name)", address: Fabric.endpoint(node.name, in: node.folder).address,
            handlers: [FabricHandler(node: node, notes: try node.file("notes"))], logger: node.logger,
            counters: counters)
        try await server.start()
        let acts = try LineFile(path: "\(node.folder)/acts", isShared: true)
        let refusals = try node.file("refused")
        let careful = Task { await act(acts) }
        let careless = Task { await actWithoutAsking(refusals) }
        await stop.wait()
        careful.cancel()
        careless.cancel()
        await careful.value
        await careless.value
        await server.stop()
    }

    /// A line tells when the lease was asked for, when it had been found to stand, slot, epoch and who. The clock is the
    /// machine's, the same for all.
    private func act(_ acts: LineFile) async {
        while !Task.isCancelled {
            for slot in 0..<Slot.count {
                // The rule for every owner: ask right before each outward act.
                let asked = MonotonicTime.now()
                guard let lease = node.membership.lease(slot: slot) else { continue }
                let found = MonotonicTime.now()
                acts.append("\(asked) \(found) \(slot) \(lease.epoch) \(node.name)")
                try? await write(lease)
                try? await Task.sleep(for: .milliseconds(5))
            }
            try? await Task.sleep(for: .milliseconds(5))
        }
    }

    private func actWithoutAsking(_ refusals: LineFile) async {
        var remembered: SlotLease?
        while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(20))
            if remembered == nil { remembered = node.membership.anyLease() }
            guard let lease = remembered else { continue }
            do {
                try await write(lease)
            } catch StoreError.staleEpoch {
                refusals.append("\(lease.slot) \(lease.epoch)")
                remembered = nil
            } catch {}
        }
    }

    private func write(_ lease: SlotLease) async throws {
        try await node.database.transaction { transaction in
            try await transaction.fence(lease)
            try await transaction.execute(
                "INSERT INTO calls.act (slot, epoch, who) VALUES (\(lease.slot), \(lease.epoch), \(node.name))")
        }
    }
}
