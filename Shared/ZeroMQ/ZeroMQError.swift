import CZMQ
public import Observability

/// A failed libzmq call: what was tried, errno, and the address where one was named (ours, or a configured one).
public struct ZeroMQError: DescribedInLogs, Equatable, CustomStringConvertible {
    public let operation: String
    public let code: Int32
    public let address: String?

    public init(_ operation: String, code: Int32, address: String? = nil) {
        self.operation = operation
        self.code = code
        self.address = address
    }

    /// With the code of the call that has just failed on this thread.
    init(_ operation: String, address: String? = nil) {
        self.init(operation, code: zmq_errno(), address: address)
    }

    public var isAddressInUse: Bool { code == EADDRINUSE }

    public var description: String {
        let reason = String(cString: zmq_strerror(code))
        return address.map { "\(operation) \($0): \(reason)" } ?? "\(operation): \(reason)"
    }

    public var logDescription: String { description }
}
