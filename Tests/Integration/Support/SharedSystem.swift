import Foundation
import Glibc
import Synchronization

/// One running system for all tests of a suite that need nothing of their own. It ends with the test process, and its folder
/// goes with it.
///
/// Suites run side by side and each expects that nothing is left behind, hence each has its own.
struct SharedSystem: Sendable {
    private let starting: Task<BellwireSystem, any Error>

    init(settings: [String: String] = [:]) {
        starting = Task {
            let system = try BellwireSystem(settings: settings)
            Self.ends.add(system)
            try await system.start()
            return system
        }
    }

    /// - Parameter settings: by the system's address.
    init(settings: @escaping @Sendable (String) -> [String: String]) {
        starting = Task {
            let address = BellwireSystem.freshAddress()
            let system = try BellwireSystem(settings: settings(address), address: address)
            Self.ends.add(system)
            try await system.start()
            return system
        }
    }

    var value: BellwireSystem {
        get async throws { try await starting.value }
    }

    private static let ends = Ends()

    /// What is to be ended with the process.
    private final class Ends: Sendable {
        private let systems = Mutex<[BellwireSystem]>([])

        init() { atexit { SharedSystem.ends.end() } }

        func add(_ system: BellwireSystem) { systems.withLock { $0.append(system) } }

        private func end() {
            let systems = systems.withLock { $0 }
            for system in systems { system.interrupt() }
            // Nothing can be awaited any more.
            var left = 150
            while left > 0, systems.contains(where: \.isRunning) {
                usleep(100_000)
                left -= 1
            }
            for system in systems { system.folder.remove() }
        }
    }
}
