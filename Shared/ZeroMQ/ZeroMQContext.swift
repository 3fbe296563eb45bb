import CZMQ

/// The process's libzmq context, with its I/O thread. Lives as long as the process: sockets are closed one by one.
enum ZeroMQContext {
    nonisolated(unsafe) static let shared: UnsafeMutableRawPointer = {
        guard let context = zmq_ctx_new() else { fatalError("libzmq has no context: out of descriptors or memory") }
        zmq_ctx_set(context, ZMQ_MAX_SOCKETS, 16384)
        return context
    }()
}
