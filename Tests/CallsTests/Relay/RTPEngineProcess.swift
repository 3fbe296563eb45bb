import Foundation
import Runtime

/// The real rtpengine on ports of its own.
final class RTPEngineProcess: Sendable {
    let process: ChildProcess
    private let spawner: ChildSpawner
    let port: UInt16

    /// - Parameter port: for ng; the next one is taken for the command line interface.
    init(port: UInt16, spawner: ChildSpawner? = nil) async throws {
        let spawner = try spawner ?? ChildSpawner()
        let media = 20_000 + Int(port % 100) * 100
        var request = ChildProcessRequest(
            executable: "/usr/bin/rtpengine",
            arguments: [
                "--config-file=none", "--table=-1", "--interface=127.0.0.1", "--listen-ng=127.0.0.1:\(port)",
                "--listen-cli=127.0.0.1:\(port + 1)", "--port-min=\(media)", "--port-max=\(media + 99)",
                "--foreground", "--log-stderr", "--log-level=3", "--num-threads=1",
            ])
        let null = open("/dev/null", O_RDWR)
        request.standardInput = null
        request.standardOutput = null
        request.standardError = null
        process = try await spawner.spawn(request)
        close(null)
        self.spawner = spawner
        self.port = port
    }

    func end() async {
        process.signal(SIGKILL)
        _ = await process.exitStatus
    }
}

enum SampleSDP {
    static func offer(port: Int = 6000, codecs: String = "0 101", direction: String = "sendrecv") -> String {
        """
        v=0\r
        o=- 1 1 IN IP4 127.0.0.1\r
        s=-\r
        c=IN IP4 127.0.0.1\r
        t=0 0\r
        m=audio \(port) RTP/AVP \(codecs)\r
        a=rtpmap:101 telephone-event/8000\r
        a=\(direction)\r

        """
    }
}
