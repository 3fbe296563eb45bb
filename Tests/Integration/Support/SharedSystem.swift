import Foundation

/// One running system for all tests of a suite that need nothing of their own. It ends with the test process.
///
/// Suites run side by side and each expects that nothing is left behind, hence each has its own.
struct SharedSystem: Sendable {
    private let starting: Task<BellwireSystem, any Error>

    init() {
        starting = Task {
            let system = try BellwireSystem()
            try await system.start()
            return system
        }
    }

    var value: BellwireSystem {
        get async throws { try await starting.value }
    }
}
