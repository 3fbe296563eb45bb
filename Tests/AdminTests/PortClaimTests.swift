import AdminCore
import Glibc
import Testing

@Suite struct PortClaimTests {
    /// A bound socket on a port of the kernel's choice.
    private func occupied(_ transport: PortClaim.Transport, _ body: (UInt16) throws -> Void) throws {
        let type = transport == .udp ? SOCK_DGRAM : SOCK_STREAM
        let descriptor = socket(AF_INET, Int32(type.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) + getsockname(descriptor, pointer, &length)
            }
        }
        try #require(bound == 0)
        if transport == .tcp { try #require(listen(descriptor, 1) == 0) }
        try body(UInt16(bigEndian: address.sin_port))
    }

    @Test(arguments: [PortClaim.Transport.udp, .tcp])
    func `names a port in use, and the key that moves it`(transport: PortClaim.Transport) throws {
        var claim: PortClaim?
        try occupied(transport) { port in
            let wanted = PortClaim(
                host: "127.0.0.1", port: port, transport: transport, purpose: "SIP", key: "BELLWIRE_SIP_PORT")
            let problem = try #require(wanted.problem())
            #expect(problem.contains("\(transport.rawValue) port \(port) on 127.0.0.1"))
            #expect(problem.contains("BELLWIRE_SIP_PORT"))
            claim = wanted
        }
        #expect(claim?.problem() == nil)
    }

    @Test func `names an address that is not this machine's`() {
        for host in ["192.0.2.1", "nowhere", ""] {
            let claim = PortClaim(host: host, port: 5060, transport: .udp, purpose: "SIP", key: "K")
            #expect(claim.problem()?.contains("BELLWIRE_HOST") == true, "\(host)")
        }
    }
}
