import Glibc
public import Observability

/// A failed system call: what was tried and errno. Never quotes a path or an address.
public struct SystemError: DescribedInLogs, Equatable, CustomStringConvertible {
    public let operation: String
    public let code: Int32

    public init(_ operation: String, code: Int32) {
        self.operation = operation
        self.code = code
    }

    /// With the code of the call that has just failed on this thread.
    public init(_ operation: String) { self.init(operation, code: errno) }

    public var description: String { "\(operation): \(unsafe String(cString: strerror(code)))" }

    public var logDescription: String { description }

    /// The result of a call, or an error when it is negative.
    @discardableResult
    package static func check(_ operation: String, _ result: Int32) throws(SystemError) -> Int32 {
        guard result >= 0 else { throw SystemError(operation) }
        return result
    }
}
