import CZMQ
import Glibc

/// One libzmq socket, owned by one thread: made, used and closed there. Nothing here waits.
public final class ZeroMQSocket {
    public enum Kind: Sendable {
        case router, dealer, publisher, subscriber, pair, reply

        var number: Int32 {
            switch self {
            case .router: ZMQ_ROUTER
            case .dealer: ZMQ_DEALER
            case .publisher: ZMQ_PUB
            case .subscriber: ZMQ_SUB
            case .pair: ZMQ_PAIR
            case .reply: ZMQ_REP
            }
        }
    }

    public enum SendResult: Sendable {
        case sent
        /// The peer's queue is full, or there is no peer yet.
        case full
        /// A router that knows no such peer.
        case unreachable
    }

    var handle: UnsafeMutableRawPointer?
    var message = zmq_msg_t()
    /// The loop that watches it forgets it: a closed socket's memory and descriptor are soon another's.
    var closing: (() -> Void)?

    /// Linger is zero: what is not sent when the socket is closed is dropped.
    public init(_ kind: Kind) throws(ZeroMQError) {
        guard let socket = zmq_socket(ZeroMQContext.shared, kind.number) else { throw ZeroMQError("zmq_socket") }
        handle = socket
        zmq_msg_init(&message)
        try set(ZMQ_LINGER, 0)
    }

    deinit { close() }

    public func close() {
        guard let handle else { return }
        closing?()
        zmq_msg_close(&message)
        zmq_close(handle)
        self.handle = nil
    }

    // MARK: Options

    /// Messages that wait for one peer at most, each way.
    public func setHighWaterMark(send: Int32, receive: Int32) throws(ZeroMQError) {
        try set(ZMQ_SNDHWM, send)
        try set(ZMQ_RCVHWM, receive)
    }

    /// A peer that sends more is disconnected.
    public func setMaximumMessage(bytes: Int64) throws(ZeroMQError) {
        var value = bytes
        if zmq_setsockopt(handle, ZMQ_MAXMSGSIZE, &value, MemoryLayout<Int64>.size) != 0 {
            throw ZeroMQError("zmq_setsockopt")
        }
    }

    /// A router then reports full and unknown peers, where it would drop silently.
    public func setRouterMandatory() throws(ZeroMQError) { try set(ZMQ_ROUTER_MANDATORY, 1) }

    /// Queues only towards peers that are connected, so that nothing old reaches a restarted one.
    public func setImmediate() throws(ZeroMQError) { try set(ZMQ_IMMEDIATE, 1) }

    public func setReconnectInterval(milliseconds: Int32, maximum: Int32) throws(ZeroMQError) {
        try set(ZMQ_RECONNECT_IVL, milliseconds)
        try set(ZMQ_RECONNECT_IVL_MAX, maximum)
    }

    /// How long a peer that has accepted may take to say that it is ZeroMQ: a frozen one accepts, too.
    public func setHandshakeLimit(milliseconds: Int32) throws(ZeroMQError) {
        try set(ZMQ_HANDSHAKE_IVL, milliseconds)
    }

    public func subscribe(prefix: [UInt8] = []) throws(ZeroMQError) {
        if zmq_setsockopt(handle, ZMQ_SUBSCRIBE, prefix, prefix.count) != 0 { throw ZeroMQError("zmq_setsockopt") }
    }

    func set(_ option: Int32, _ value: Int32) throws(ZeroMQError) {
        var value = value
        if zmq_setsockopt(handle, option, &value, MemoryLayout<Int32>.size) != 0 {
            throw ZeroMQError("zmq_setsockopt")
        }
    }

    /// Readable when the socket's I/O thread has told it something since it was last used; says nothing else.
    var descriptor: Int32 {
        var descriptor: Int32 = -1
        var size = MemoryLayout<Int32>.size
        zmq_getsockopt(handle, ZMQ_FD, &descriptor, &size)
        return descriptor
    }

    /// Lets the socket see what its I/O thread has told it: peers that came and went.
    public func update() {
        var events: Int32 = 0
        var size = MemoryLayout<Int32>.size
        zmq_getsockopt(handle, ZMQ_EVENTS, &events, &size)
    }

    // MARK: Addresses

    public func bind(_ address: String) throws(ZeroMQError) {
        if zmq_bind(handle, address) != 0 { throw ZeroMQError("bind", address: address) }
    }

    public func unbind(_ address: String) { zmq_unbind(handle, address) }

    public func connect(_ address: String) throws(ZeroMQError) {
        if zmq_connect(handle, address) != 0 { throw ZeroMQError("connect", address: address) }
    }

    public func disconnect(_ address: String) { zmq_disconnect(handle, address) }

    /// The address bound last, with the port that was really taken.
    public var lastEndpoint: String {
        var bytes = [UInt8](repeating: 0, count: 512)
        var size = bytes.count
        guard zmq_getsockopt(handle, ZMQ_LAST_ENDPOINT, &bytes, &size) == 0 else { return "" }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    // MARK: Messages

    /// Sends one part, made of two pieces.
    public func send(
        _ first: UnsafeRawBufferPointer,
        _ second: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
        more: Bool = false
    ) -> SendResult {
        var part = zmq_msg_t()
        guard zmq_msg_init_size(&part, first.count + second.count) == 0 else { return .full }
        let target = UnsafeMutableRawBufferPointer(start: zmq_msg_data(&part), count: first.count + second.count)
        if !first.isEmpty { target.copyMemory(from: first) }
        if !second.isEmpty { UnsafeMutableRawBufferPointer(rebasing: target[first.count...]).copyMemory(from: second) }
        return send(&part, more: more)
    }

    private func send(_ part: inout zmq_msg_t, more: Bool) -> SendResult {
        while zmq_msg_send(&part, handle, ZMQ_DONTWAIT | (more ? ZMQ_SNDMORE : 0)) < 0 {
            let code = zmq_errno()
            if code == EINTR { continue }
            zmq_msg_close(&part)
            return code == EHOSTUNREACH ? .unreachable : .full
        }
        return .sent
    }

    /// Sends `bytes`, which lie within the allocation at `memory`, without copying them. `malloc` has made it; it is
    /// libzmq's to free from here on, whatever the result.
    public func send(_ bytes: UnsafeMutableRawBufferPointer, freeing memory: UnsafeMutableRawPointer) -> SendResult {
        var part = zmq_msg_t()
        let result = zmq_msg_init_data(&part, bytes.baseAddress, bytes.count, { _, memory in free(memory) }, memory)
        guard result == 0 else {
            free(memory)
            return .full
        }
        return send(&part, more: false)
    }

    public func send(_ bytes: [UInt8], more: Bool = false) -> SendResult {
        bytes.withUnsafeBytes { send($0, more: more) }
    }

    /// Takes the next part; nil when none waits. The buffer is valid only during the call; `more` says that further
    /// parts of the same message follow.
    public func receive<Result>(_ body: (_ part: UnsafeRawBufferPointer, _ more: Bool) -> Result) -> Result? {
        while zmq_msg_recv(&message, handle, ZMQ_DONTWAIT) < 0 {
            if zmq_errno() != EINTR { return nil }
        }
        let part = UnsafeRawBufferPointer(start: zmq_msg_data(&message), count: zmq_msg_size(&message))
        return body(part, zmq_msg_more(&message) != 0)
    }

    /// The descriptor of the connection that the last part came over; nil when unknown. Only to be compared.
    public var lastPartDescriptor: Int32? {
        let descriptor = zmq_msg_get(&message, ZMQ_SRCFD)
        return descriptor >= 0 ? descriptor : nil
    }
}
