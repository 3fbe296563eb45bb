import Foundation
import Glibc
import Runtime

/// A peer that asks an address whether it is there, again and again, and keeps what was answered: a capture of what its
/// owner, or whoever was its owner, sends.
final class OptionsProbe: Sendable {
    private let descriptor: OwnedDescriptor
    private let server: String
    private let address: String

    init(server: String) throws {
        self.server = server
        address = BellwireSystem.freshAddress()
        let number = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard number >= 0 else { throw SystemError("socket") }
        descriptor = OwnedDescriptor(number)
        try OptionsProbe.call("bind", with: address, port: 5070) { bind(number, $0, $1) }
        try OptionsProbe.call("connect", with: server, port: 5060) { connect(number, $0, $1) }
    }

    private static func call(
        _ name: String, with host: String, port: UInt16,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr(host)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        guard result == 0 else { throw SystemError(name) }
    }

    /// Asks; the answer bears the number.
    func ask(_ number: Int) {
        let text = [
            "OPTIONS sip:probe@\(server) SIP/2.0",
            "Via: SIP/2.0/UDP \(address):5070;branch=z9hG4bKprobe\(number)", "From: <sip:probe@\(address)>;tag=probe",
            "To: <sip:probe@\(server)>", "Call-ID: probe-\(address)", "CSeq: \(number) OPTIONS", "Max-Forwards: 70",
            "Content-Length: 0", "", "",
        ].joined(separator: "\r\n")
        _ = Array(text.utf8).withUnsafeBytes { send(descriptor.number, $0.baseAddress, $0.count, 0) }
    }

    /// The numbers of all answers since the last time.
    func answers() -> [Int] {
        var numbers: [Int] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor.number, &buffer, buffer.count, 0)
            // A port that nobody had for a moment is told once.
            if count < 0, errno == ECONNREFUSED { continue }
            guard count > 0 else { return numbers }
            let text = String(decoding: buffer[..<count], as: UTF8.self)
            let line = text.split(separator: "\r\n").first { $0.hasPrefix("CSeq: ") }
            if let number = line.flatMap({ Int($0.split(separator: " ")[1]) }) { numbers.append(number) }
        }
    }
}
