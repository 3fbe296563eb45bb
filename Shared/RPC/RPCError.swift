/// A call's failure: a status code and a text that is safe to show.
public struct RPCError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What a caller may conclude about a refused call beyond its code.
    public enum Hint: UInt8, Sendable {
        case none = 0
        /// The instance is going away and did not start the call; another one may take it.
        case draining = 1
        /// The instance does not own the slot of the pinned id; the owner must be asked for again.
        case notOwner = 2
        /// The request never left this process. Not sent on the wire.
        case notSent = 3
    }

    public var code: StatusCode
    /// For people; holds no phone number, token or address.
    public var message: String
    public var hint: Hint

    public init(_ code: StatusCode, _ message: String, hint: Hint = .none) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    /// What the handler of a pinned method throws when the id's slot is not (or no longer) its own: the client then
    /// asks who owns it and retries once.
    public static let notOwner = RPCError(.unavailable, "the slot is owned by another instance", hint: .notOwner)

    public var description: String { "\(code.slug): \(message)" }

    /// True when the method surely did not run.
    var neverRan: Bool { hint != .none }
}

/// An error that knows its status code. Everything else that a handler throws becomes `internal` with a generic text.
public protocol RPCErrorConvertible: Error {
    var rpcError: RPCError { get }
}
