/// The two UDP sockets of a session: RTP on an even port, RTCP on the next (RFC 3550 section 11). Used by one thread.
public final class RTPSocketPair: Sendable {
    public let rtpPort: Int
    public var rtcpPort: Int { rtpPort + 1 }
    private let rtp: UDPSocket
    private let rtcp: UDPSocket
    private let release: @Sendable () -> Void

    init(rtpPort: Int, rtp: UDPSocket, rtcp: UDPSocket, release: @escaping @Sendable () -> Void) {
        self.rtpPort = rtpPort
        self.rtp = rtp
        self.rtcp = rtcp
        self.release = release
    }

    deinit { release() }

    /// Takes one datagram of the RTP port; what does not come from `peer`'s address and port is `foreign`.
    public func receiveRTP(into buffer: inout [UInt8], from peer: SocketAddress?) -> ReceivedDatagram {
        rtp.receive(into: &buffer, from: peer)
    }

    /// Takes one datagram of the RTCP port.
    public func receiveRTCP(into buffer: inout [UInt8], from peer: SocketAddress?) -> ReceivedDatagram {
        rtcp.receive(into: &buffer, from: peer)
    }

    public func sendRTP(_ packet: Span<UInt8>, to address: SocketAddress) {
        rtp.send(packet, to: address)
    }

    /// - Parameter isMuxed: from the RTP port (RFC 5761).
    public func sendRTCP(_ packet: Span<UInt8>, to address: SocketAddress, isMuxed: Bool) {
        (isMuxed ? rtp : rtcp).send(packet, to: address)
    }
}
