import Foundation

/// One running system for all tests that need nothing of their own.
enum SharedSystem {
    private static let starting = Task {
        let system = try BellwireSystem(settings: ["BELLWIRE_VOICEMAIL_MAXIMUM_SECONDS": "180"])
        try await system.start()
        return system
    }

    static func get() async throws -> BellwireSystem { try await starting.value }
}
