import Foundation
import Runtime

/// rtpengine in user space, bound to the system's address.
enum RelayProcess {
    static let executable = "/usr/bin/rtpengine"

    static func process(_ settings: UpSettings) throws(StartFailure) -> ManagedProcess {
        guard FileManager.default.isExecutableFile(atPath: executable) else {
            throw StartFailure(description: "\(executable) is missing: run `make bootstrap`")
        }
        var request = ChildProcessRequest(
            executable: executable, arguments: arguments(settings),
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"], directory: "/")
        if SystemCalls.isRoot, let account = SystemCalls.account(named: "rtpengine") {
            request.user = (account.user, account.group)
        }
        let prepared = request
        let (host, port) = (settings.relayHost, settings.relayPort)
        return ManagedProcess(
            name: "rtpengine", request: { prepared },
            isReady: { _ in await RelayPing.answers(host: host, port: port) },
            stopping: [(SIGTERM, .seconds(5))])
    }

    private static func arguments(_ settings: UpSettings) -> [String] {
        [
            "--config-file=none", "--table=-1", "--foreground", "--log-stderr",
            // Errors only: the levels below quote addresses and session descriptions.
            "--log-level=3",
            "--interface=\(settings.host)", "--listen-ng=\(settings.relayHost):\(settings.relayPort)",
            "--port-min=\(settings.relayPorts.lowerBound)", "--port-max=\(settings.relayPorts.upperBound)",
            // Packets from where the description says win over others while a side's address is learnt.
            "--endpoint-learning=heuristic", "--num-threads=2",
        ]
    }
}
