import Foundation

extension ProcessTable {
    /// Whether somebody has a UDP socket on that address.
    static func listens(_ address: String, _ port: Int) -> Bool {
        let parts = address.split(separator: ".").compactMap { UInt8($0) }
        // /proc shows the address as the machine has it in memory.
        let hexadecimal = parts.reversed().map { String(format: "%02X", $0) }.joined()
        let wanted = "\(hexadecimal):\(String(format: "%04X", port))"
        let table = (try? String(contentsOfFile: "/proc/net/udp", encoding: .utf8)) ?? ""
        return table.split(separator: "\n").contains { $0.contains(" \(wanted) ") }
    }
}
