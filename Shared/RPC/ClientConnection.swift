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
    private let batch = FrameBatch()
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
        try socket.setHighWaterMark(send: 500, receive: 500)
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

    /// Sends what waits, many calls a message. False: there is no room for all of it now.
    func sendWaiting(caller: [UInt8], now: UInt64) -> Bool {
        guard isUp, !waiting.isEmpty else { return waiting.isEmpty }
        var sent = 0
        var packed = 0
        var hasRoom = true
        while hasRoom && packed < waiting.count {
            while packed < waiting.count, append(waiting[packed], caller, now) { packed += 1 }
            hasRoom = batch.send(on: socket) == .sent
            if hasRoom {
                for call in waiting[sent..<packed] { call.isSent = true }
                sent = packed
            }
        }
        waiting.removeFirst(sent)
        return hasRoom
    }

    private func append(_ call: OutgoingCall, _ caller: [UInt8], _ now: UInt64) -> Bool {
        var frame = Frame(.request, callID: call.id)
        if call.method.kind == .serverStreaming { frame.argument = UInt32(StreamCredit.window) }
        frame.method = call.method.wireID
        frame.traceID = call.traceID
        frame.deadlineMilliseconds = call.remainingMilliseconds(now)
        return caller.withUnsafeBytes { caller in
            frame.caller = caller
            return call.request.withUnsafeBytes { batch.append(frame, $0) }
        }
    }

    /// Small frames that may be lost with the connection: cancel, credit, ping.
    func send(_ frame: Frame) {
        if isUp { _ = frame.withHeader { socket.send($0) } }
    }
}
