import Foundation
import Runtime

/// rtpengine in user space, bound to the system's address.
enum RelayProcess {
    static let executable = "/usr/bin/rtpengine"

    /// - Parameter number: 1 for the first of several.
    static func process(
        _ relay: UpSettings.Relay, number: Int, host: String
    ) throws(StartFailure) -> ManagedProcess {
        guard FileManager.default.isExecutableFile(atPath: executable) else {
            throw StartFailure(description: "\(executable) is missing: run `make bootstrap`")
        }
        var request = ChildProcessRequest(
            executable: executable, arguments: arguments(relay, host),
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"], directory: "/")
        if SystemCalls.isRoot, let account = SystemCalls.account(named: "rtpengine") {
            request.user = (account.user, account.group)
        }
        let prepared = request
        let (control, port) = (relay.host, relay.port)
        return ManagedProcess(
            name: number == 1 ? "rtpengine" : "rtpengine-\(number)", request: { prepared },
            isReady: { _ in await RelayPing.answers(host: control, port: port) },
            stopping: [(SIGTERM, .seconds(5))])
    }

    private static func arguments(_ relay: UpSettings.Relay, _ host: String) -> [String] {
        [
            "--config-file=none", "--table=-1", "--foreground", "--log-stderr",
            // Errors only: the levels below quote addresses and session descriptions.
            "--log-level=3",
            "--interface=\(host)", "--listen-ng=\(relay.host):\(relay.port)",
            "--port-min=\(relay.ports.lowerBound)", "--port-max=\(relay.ports.upperBound)",
            // Packets from where the description says win over others while a side's address is learnt.
            "--endpoint-learning=heuristic", "--num-threads=2",
        ]
    }
}
