import Foundation
import Runtime

/// The real rtpengine on ports of its own.
final class RTPEngineProcess: Sendable {
    let port: UInt16
    private let process: ChildProcess
    private let spawner: ChildSpawner

    /// Below the ephemeral ports and those that a running system uses.
    static func anyPort() -> UInt16 { UInt16.random(in: 5_000..<6_000) * 2 }

    /// - Parameter port: for ng; nil takes one that is free.
    convenience init(port: UInt16? = nil) async throws {
        try await self.init(on: port ?? RTPEngineProcess.freePort())
    }

    private init(on port: UInt16) async throws {
        self.port = port
        let spawner = try ChildSpawner()
        let media = 12_000 + Int.random(in: 0..<40) * 100
        var request = ChildProcessRequest(
            executable: "/usr/bin/rtpengine",
            arguments: [
                "--config-file=none", "--table=-1", "--interface=127.0.0.1", "--listen-ng=127.0.0.1:\(port)",
                "--port-min=\(media)", "--port-max=\(media + 99)", "--foreground", "--log-stderr", "--log-level=3",
                "--num-threads=1",
            ])
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        request.standardInput = null
        request.standardOutput = null
        request.standardError = null
        process = try await spawner.spawn(request)
        close(null)
        self.spawner = spawner
    }

    func end() async {
        process.signal(SIGKILL)
        _ = await process.exitStatus
    }

    private static func freePort() -> UInt16 {
        while true {
            let port = anyPort()
            let probe = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            defer { close(probe) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            let result = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(probe, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            if result == 0 { return port }
        }
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
