import Foundation
import Runtime

/// The services of Bellwire, in the order in which they start: each finds what it calls already there.
enum ServiceProcess {
    static let names = ["directory", "records", "notifications", "voicemail", "calls"]

    /// - Parameters:
    ///   - number: of the service's instances, from 1 on; the first keeps the configured name.
    ///   - folder: where the executables are.
    ///   - environment: `BELLWIRE_*`.
    ///   - isReady: whether an instance says so by RPC.
    static func process(
        _ name: String, number: Int = 1, folder: String, environment: [String: String], drain: Duration,
        isReady: @escaping @Sendable (Int32) async -> Bool
    ) throws(StartFailure) -> ManagedProcess {
        let executable = folder + "/bellwire-" + name
        guard FileManager.default.isExecutableFile(atPath: executable) else {
            throw StartFailure(description: "\(executable) is missing: run `make build`")
        }
        let inheritedKeys = ["PATH", "HOME", "LANG", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "SWIFT_BACKTRACE"]
        let inherited = ProcessInfo.processInfo.environment.filter { inheritedKeys.contains($0.key) }
        let instance = "\(name)-\(number)"
        let own = number == 1 ? [:] : [ConfigurationKey.instance.variable: instance]
        let request = ChildProcessRequest(
            executable: executable, environment: inherited.merging(environment) { $1 }.merging(own) { $1 })
        return ManagedProcess(
            name: number == 1 ? name : instance, request: { request }, isReady: isReady,
            // The whole system goes: calls end, where SIGTERM would leave them to a successor.
            stopping: [(SIGINT, drain + .seconds(2))])
    }
}
