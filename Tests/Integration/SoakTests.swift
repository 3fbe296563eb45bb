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
}
