import Foundation
import Runtime

/// The services of Bellwire, in the order in which they start: each finds what it calls already there.
enum ServiceProcess {
    static let names = ["directory", "records", "notifications", "voicemail", "calls"]

    /// - Parameters:
    ///   - folder: where the executables are.
    ///   - environment: `BELLWIRE_*`.
    ///   - isReady: whether an instance says so by RPC.
    static func process(
        _ name: String, folder: String, environment: [String: String], drain: Duration,
        isReady: @escaping @Sendable (Int32) async -> Bool
    ) throws(StartFailure) -> ManagedProcess {
        let executable = folder + "/bellwire-" + name
        guard FileManager.default.isExecutableFile(atPath: executable) else {
            throw StartFailure(description: "\(executable) is missing: run `make build`")
        }
        let inheritedKeys = ["PATH", "HOME", "LANG", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "SWIFT_BACKTRACE"]
        let inherited = ProcessInfo.processInfo.environment.filter { inheritedKeys.contains($0.key) }
        let request = ChildProcessRequest(
            executable: executable, environment: inherited.merging(environment) { $1 })
        return ManagedProcess(
            name: name, request: { request }, isReady: isReady,
            stopping: [(SIGTERM, drain + .seconds(2))])
    }
}
