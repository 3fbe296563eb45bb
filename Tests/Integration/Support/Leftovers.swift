import Foundation
import Testing

/// What must be nothing once no call lives: calls, recordings, sockets, relay sessions.
func expectNothingLeft(_ system: BellwireSystem, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let gauges = [
        "calls_active", "relay_sessions", "recordings_active", "rtp_sockets_open", "sip_dialogs",
    ]
    _ = try await eventually("nothing left", within: .seconds(20), sourceLocation: sourceLocation) { () -> Bool? in
        let counters = try await system.json("counters")
        let open = counters.filter { counter in
            gauges.contains(counter["name"] as? String ?? "") && counter["value"] as? Int != 0
        }
        let live = try await system.json("call", "list", "--live")
        return open.isEmpty && live.isEmpty ? true : nil
    }
}

/// The descriptors that each process of the system has open, by instance.
func openDescriptors(_ system: BellwireSystem) async throws -> [String: Int] {
    let counters = try await system.json("counters", "--prefix", "process_open_descriptors")
    return Dictionary(
        uniqueKeysWithValues: counters.compactMap { counter in
            guard let instance = counter["instance"] as? String, let value = counter["value"] as? Int else {
                return nil
            }
            return (instance, value)
        })
}
