/// Limits of a server.
public struct RPCServerOptions: Sendable {
    /// Calls of one method that may run at once; more are refused with `resourceExhausted`.
    public var concurrency = 2048
    /// The same for single methods, by name (`HangUpCall`).
    public var concurrencyByMethod: [String: Int] = [:]
    /// How long running calls may go on after `drain`.
    public var drainLimit: Duration = .seconds(5)

    public init() {}
}
