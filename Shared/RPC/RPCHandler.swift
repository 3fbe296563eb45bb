/// The server side of one `.proto` service. Generated service protocols refine it and implement both requirements:
///
///     extension CallsService {
///         public var serviceDescriptor: ServiceDescriptor { CallsV1.callsDescriptor }
///         public func handle(_ call: ServerCall) async throws {
///             switch call.method {
///             case 0: try await call.unary(getCall)
///             case 1: try await call.stream(watchCalls)
///             default: throw call.unknownMethod
///             }
///         }
///     }
public protocol RPCHandler: Sendable {
    var serviceDescriptor: ServiceDescriptor { get }

    /// Runs one call. Returning ends it with `ok`; what is thrown becomes its status: `RPCError` as it is,
    /// `RPCErrorConvertible` by its own word, `CancellationError` as `cancelled`, anything else as `internal`.
    func handle(_ call: ServerCall) async throws
}
