import Foundation
import Testing

@Suite struct EventProofTests {
    /// BELLWIRE_TEST_SEED repeats a run's faults, as far as the machine repeats itself.
    static let seed =
        ProcessInfo.processInfo.environment["BELLWIRE_TEST_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...9999)

    @Test("A minute of kills, freezes and restarts loses no event, skips none, and works none off twice")
    func aMinute() async throws {
        try await EventProof(seed: Self.seed).run(for: .seconds(60))
    }
}
