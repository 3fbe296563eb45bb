import Foundation
import Testing

/// The long tests of `make soak`.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["TIER"] == "soak")) struct SoakTests {
    @Test func twoHundredCallersAreNotMixedUp() async throws {
        let system = try BellwireSystem()
        try await system.start()
        try await callers(200, in: system)
        await system.stop()
    }

    /// For half an hour, or as many seconds as BELLWIRE_SOAK_SECONDS says.
    @Test func noEventIsLost() async throws {
        let seconds = ProcessInfo.processInfo.environment["BELLWIRE_SOAK_SECONDS"].flatMap { Int($0) } ?? 1800
        try await EventProof(seed: EventProofTests.seed).run(for: .seconds(seconds))
    }
}
