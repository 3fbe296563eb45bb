/// Limits of a server.
public struct RPCServerOptions: Sendable {
    /// Calls of one method that may run at once; more are refused with `resourceExhausted`.
    public var concurrency = 2048
    /// The same for single methods, by name (`HangUpCall`).
    public var concurrencyByMethod: [String: Int] = [:]
    /// How long running calls may go on after `drain`.
    public var drainLimit: Duration = .seconds(5)
    /// A client that is silent for so long is taken for dead: its calls are cancelled.
    public var silenceLimit: Duration = .seconds(5)
    /// Handlers run on the socket's thread, between its messages: the fastest, as long as none of them computes for
    /// long or blocks. False: on Swift's pool.
    public var handlersOnSocketThread = true

    public init() {}
}
