import CZMQ
import Synchronization

/// Tells what happens to a socket's connections. Owned by the socket's thread.
public final class SocketMonitor {
    public enum Event: Sendable, Equatable {
        /// A connection is ready for messages.
        case ready
        /// A connecting attempt failed, or a lost connection will be tried again.
        case retrying
        /// A connection is gone; its descriptor.
        case disconnected(Int32)
        /// A listening address was given up.
        case closed
        /// The peer is no ZeroMQ socket, does not speak our security mechanism, or one refused the other. The address
        /// of ours that was concerned.
        case handshakeFailed(String)
    }

    private static let count = Atomic<Int>(0)

    /// To be polled.
    public let socket: ZeroMQSocket
    private let watched: ZeroMQSocket

    public init(_ watched: ZeroMQSocket) throws(ZeroMQError) {
        let number = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
        let address = "inproc://monitor-\(number)"
        let events =
            ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH
            | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL | ZMQ_EVENT_CONNECT_RETRIED | ZMQ_EVENT_DISCONNECTED
            | ZMQ_EVENT_CLOSED
        if zmq_socket_monitor(watched.handle, address, events) != 0 { throw ZeroMQError("zmq_socket_monitor") }
        socket = try ZeroMQSocket(.pair)
        try socket.setHighWaterMark(send: 0, receive: 0)
        try socket.connect(address)
        self.watched = watched
    }

    /// Must come before the watched socket is closed.
    public func close() {
        if watched.handle != nil { zmq_socket_monitor(watched.handle, nil, 0) }
        socket.close()
    }

    /// The next event; nil when none waits.
    public func next() -> Event? {
        while true {
            var number: UInt16 = 0
            var value: Int32 = 0
            guard
                var more = socket.receive({ part, more in
                    if part.count >= 6 {
                        number = part.loadUnaligned(as: UInt16.self)
                        value = part.loadUnaligned(fromByteOffset: 2, as: Int32.self)
                    }
                    return more
                })
            else { return nil }
            var address = ""
            while more {
                more =
                    socket.receive { part, more in
                        address = String(decoding: part, as: UTF8.self)
                        return more
                    } ?? false
            }
            switch Int32(number) {
            case ZMQ_EVENT_HANDSHAKE_SUCCEEDED: return .ready
            case ZMQ_EVENT_CONNECT_RETRIED: return .retrying
            case ZMQ_EVENT_DISCONNECTED: return .disconnected(value)
            case ZMQ_EVENT_CLOSED: return .closed
            case ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL, ZMQ_EVENT_HANDSHAKE_FAILED_AUTH,
                ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL:
                return .handshakeFailed(address)
            default: continue
            }
        }
    }

    /// Waits until a listening address was given up, its file removed; for closing down only.
    public func waitForClose(milliseconds: Int) {
        let limit = MonotonicTime.now() + UInt64(milliseconds) * 1_000_000
        while MonotonicTime.now() < limit {
            while let event = next() {
                if event == .closed { return }
            }
            var item = zmq_pollitem_t(socket: socket.handle, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0)
            zmq_poll(&item, 1, milliseconds)
        }
    }
}
