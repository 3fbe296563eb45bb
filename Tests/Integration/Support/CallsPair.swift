import Foundation
import Glibc
import Runtime
import Testing

/// A system with two SIP addresses, and a second instance of `calls` that nobody starts again when it ends.
final class CallsPair: Sendable {
    let system: BellwireSystem
    /// By slot.
    let addresses: [String]

    /// Long enough for a busy machine, short enough for a test.
    static let leaseSeconds = 2

    init(settings: [String: String] = [:]) async throws {
        let address = BellwireSystem.freshAddress()
        addresses = [address, BellwireSystem.freshAddress()]
        system = try BellwireSystem(
            settings: [
                "BELLWIRE_SIP_ADDRESSES": addresses.joined(separator: ","),
                "BELLWIRE_LEASE_SECONDS": "\(CallsPair.leaseSeconds)",
            ].merging(settings) { $1 }, address: address)
        try await system.start()
    }

    /// Starts the second instance, and returns it with the address that it has taken from the first.
    func startSecond() async throws -> (program: Program, address: String) {
        let program = try await Program.start(
            Program.product("bellwire-calls"), ["--config", system.runDirectory + "/bellwire.env"],
            environment: ["BELLWIRE_INSTANCE": "calls-2"], in: system.folder, name: "calls-2-\(UUID().uuidString)")
        let slot = try await eventually("an address of the second instance's own") { () -> Int? in
            if program.child.hasEnded { throw BellwireSystem.Fault.ended(program.standardError) }
            let slots = try await self.slots()
            guard slots["calls-1"]?.count == 1, slots["calls-2"]?.count == 1, try await self.system.isReady() else {
                return nil
            }
            return slots["calls-2"]?.first
        }
        return (program, addresses[slot])
    }

    /// The slots of each instance that answers.
    func slots() async throws -> [String: [Int]] {
        let services = try await system.statuses().filter { $0["service"] as? String == "calls" }
        return Dictionary(
            services.map { ($0["instance"] as? String ?? "", $0["slots"] as? [Int] ?? []) }, uniquingKeysWith: { $1 })
    }

    /// Returns once each instance that `bellwire up` runs serves one address.
    func eachHasOne() async throws {
        _ = try await eventually("an address for each", within: .seconds(40)) {
            let slots = try await self.slots()
            return slots["calls-1"]?.count == 1 && slots["calls-2"]?.count == 1 ? true : nil
        }
    }

    /// Returns once the first instance serves both addresses.
    func firstHasAll() async throws {
        _ = try await eventually("the takeover", every: .milliseconds(20)) {
            let slots = try await self.slots()
            return slots["calls-1"]?.count == 2 ? true : nil
        }
    }
}

/// One pair for all tests of a suite.
struct SharedPair: Sendable {
    private let starting: Task<CallsPair, any Error>

    init(settings: [String: String] = [:]) {
        starting = Task { try await CallsPair(settings: settings) }
    }

    var value: CallsPair {
        get async throws { try await starting.value }
    }
}
