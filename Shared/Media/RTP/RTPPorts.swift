import Glibc
public import Observability
public import Runtime
import Synchronization

/// Opens socket pairs on a range of ports that may be shared with nobody else on the address.
///
/// Pairs are handed out in turn, so that a port rests before its next use and a late packet of the call before finds nobody.
public final class RTPPorts: Sendable {
    private let host: String
    private let range: ClosedRange<Int>
    private let nextPair: Mutex<Int>
    private let open: Gauge

    /// - Parameter open: counts the sockets that are open.
    public init(host: String, range: ClosedRange<Int>, open: Gauge) {
        self.host = host
        self.range = range
        self.open = open
        nextPair = Mutex(Int.random(in: 0..<max(1, range.count / 2)))
    }

    /// A pair on ports that are free; `SystemError` with `EADDRINUSE` when the range is used up.
    public func openPair() throws(SystemError) -> RTPSocketPair {
        let first = range.lowerBound + range.lowerBound % 2
        let pairs = (range.upperBound - first + 1) / 2
        for _ in 0..<max(0, pairs) {
            let pair = nextPair.withLock { next in
                next = (next + 1) % pairs
                return next
            }
            do {
                return try open(port: first + 2 * pair)
            } catch  where error.code == EADDRINUSE {
                continue
            }
        }
        throw SystemError("bind", code: EADDRINUSE)
    }

    private func open(port: Int) throws(SystemError) -> RTPSocketPair {
        guard let rtpAddress = SocketAddress(address: host, port: port),
            let rtcpAddress = SocketAddress(address: host, port: port + 1)
        else { throw SystemError("bind", code: EINVAL) }
        let rtp = try UDPSocket(binding: rtpAddress)
        let rtcp = try UDPSocket(binding: rtcpAddress)
        open.add(2)
        return RTPSocketPair(rtpPort: port, rtp: rtp, rtcp: rtcp) { [open] in open.add(-2) }
    }
}
