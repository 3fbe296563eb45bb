import Glibc
import ZeroMQ

/// The connection to one instance: a DEALER socket that libzmq connects again by itself. Socket thread only.
final class ClientConnection {
    let endpoint: Endpoint
    let socket: ZeroMQSocket
    let monitor: SocketMonitor
    private(set) var isUp = false
    /// The handshake failed: libzmq does not try again by itself.
    var isRefused = false
    /// The instance takes no new calls.
    var isDraining = false
    /// Since anything was heard.
    var unansweredPings = 0
    /// Calls that wait for the connection, in order, and all that this instance has not answered.
    var waiting: [OutgoingCall] = []
    var calls: [UInt64: OutgoingCall] = [:]

    /// Throws with `EACCES` when the endpoint's key is not allowed to be this service, or we have no key for it.
    init(_ endpoint: Endpoint, _ curve: CurveCredentials?) throws(ZeroMQError) {
        guard let address = PeerAddress(endpoint.address) else {
            throw ZeroMQError("connect", code: EINVAL, address: endpoint.address)
        }
        self.endpoint = endpoint
        socket = try ZeroMQSocket(.dealer)
        try socket.setImmediate()
        try socket.setReconnectInterval(milliseconds: 50, maximum: 500)
        try socket.setHandshakeLimit(milliseconds: 5000)
        try socket.setHighWaterMark(send: 10_000, receive: 10_000)
        try socket.setMaximumMessage(bytes: Int64(Frame.maximumBytes))
        monitor = try SocketMonitor(socket)
        try socket.connect(address, curve) { $0.roles.contains(endpoint.service) }
    }

    var outstanding: Int { calls.count }

    func cameUp() {
        isUp = true
        isDraining = false
        unansweredPings = 0
        socket.update()
    }

    func wentDown() { isUp = false }

    /// Alive, but has not said so lately: others are preferred.
    var isStale: Bool { unansweredPings > 2 }

    func close() {
        monitor.close()
        socket.close()
    }

    /// False: no room now.
    func send(_ call: OutgoingCall, caller: [UInt8], now: UInt64) -> Bool {
        guard isUp else { return false }
        var frame = Frame(.request, callID: call.id)
        if call.method.kind == .serverStreaming { frame.argument = UInt32(StreamCredit.window) }
        frame.method = call.method.wireID
        frame.traceID = call.traceID
        frame.deadlineMilliseconds = call.remainingMilliseconds(now)
        let result = caller.withUnsafeBytes { caller in
            frame.caller = caller
            return frame.withHeader { header in call.request.withUnsafeBytes { socket.send(header, $0) } }
        }
        call.isSent = result == .sent
        return call.isSent
    }

    /// Small frames that may be lost with the connection: cancel, credit, ping.
    func send(_ frame: Frame) {
        if isUp { _ = frame.withHeader { socket.send($0) } }
    }
}
