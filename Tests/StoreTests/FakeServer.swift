import Glibc
import Runtime
import Synchronization

/// Speaks as much of PostgreSQL's protocol (version 3) as says hello in another version's name.
final class FakeServer: Sendable {
    let url: String
    private let folder: String
    private let listener: Int32
    private let thread: LoopThread

    init(version: String) throws {
        var template = Array("/tmp/bw-pg-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw SystemError("mkdtemp") }
        folder = String(cString: made)
        url = "postgresql://bellwire@/x?host=\(folder)"
        let path = "\(folder)/.s.PGSQL.5432"
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, listen(listener, 10) == 0 else { throw SystemError("bind") }
        let greeting =
            FakeServer.message("R", [0, 0, 0, 0])
            + FakeServer.message("S", Array("server_version\0\(version)\0".utf8))
            + FakeServer.message("S", Array("client_encoding\0UTF8\0".utf8))
            + FakeServer.message("K", [0, 0, 0, 1, 0, 0, 0, 2]) + FakeServer.message("Z", [UInt8(ascii: "I")])
        self.listener = listener
        thread = try LoopThread(name: "fake-server") {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                var request = [UInt8](repeating: 0, count: 2000)
                _ = recv(connection, &request, request.count, 0)
                _ = send(connection, greeting, greeting.count, Int32(MSG_NOSIGNAL))
                // Until the client has read enough.
                while recv(connection, &request, request.count, 0) > 0 {}
                close(connection)
            }
        }
    }

    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        thread.join()
        close(listener)
        unlink("\(folder)/.s.PGSQL.5432")
        rmdir(folder)
    }

    private static func message(_ kind: Unicode.Scalar, _ body: [UInt8]) -> [UInt8] {
        let length = UInt32(body.count + 4)
        return [UInt8(ascii: kind)] + withUnsafeBytes(of: length.bigEndian) { [UInt8]($0) } + body
    }
}
