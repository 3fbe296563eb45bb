import Foundation

extension ProcessTable {
    /// All UDP sockets over IPv4, a line each. To be read to its end: by its size, /proc gives the first page alone.
    static var datagramSockets: String {
        let data = try? FileHandle(forReadingAtPath: "/proc/net/udp")?.readToEnd()
        return String(decoding: data ?? Data(), as: UTF8.self)
    }

    /// How many descriptors a process has open.
    static func descriptors(of process: Int32) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd"))?.count ?? 0
    }

    /// Whether somebody has a UDP socket on that address.
    static func listens(_ address: String, _ port: Int) -> Bool {
        let parts = address.split(separator: ".").compactMap { UInt8($0) }
        // /proc shows the address as the machine has it in memory.
        let hexadecimal = parts.reversed().map { String(format: "%02X", $0) }.joined()
        let wanted = "\(hexadecimal):\(String(format: "%04X", port))"
        return datagramSockets.split(separator: "\n").contains { $0.contains(" \(wanted) ") }
    }
}
