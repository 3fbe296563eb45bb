import Observability

/// One method that a server serves. Socket thread only.
final class ServerMethod {
    let handler: any RPCHandler
    let index: Int
    let descriptor: MethodDescriptor
    let limit: Int
    private let roles: Set<String>
    private let counters: Counters
    private var byStatus = [Counter?](repeating: nil, count: StatusCode.allCases.count)
    /// Handlers that have not returned.
    var running = 0

    init(handler: any RPCHandler, index: Int, descriptor: MethodDescriptor, limit: Int, counters: Counters) {
        self.handler = handler
        self.index = index
        self.descriptor = descriptor
        self.limit = limit
        self.counters = counters
        roles = Set(descriptor.roles)
    }

    /// A caller's role is its service's name.
    func admits(_ caller: String) -> Bool {
        roles.isEmpty || roles.contains(String(caller.prefix { $0 != "/" }))
    }

    func count(_ status: StatusCode) {
        let position = Int(status.rawValue)
        let counter =
            byStatus[position]
            ?? counters.counter("rpc_requests_total", ["method": descriptor.fullName, "status": status.slug])
        byStatus[position] = counter
        counter.increment()
    }
}
