/// One method of a `.proto` service, as the generator knows it.
public struct MethodDescriptor: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable {
        case unary
        case serverStreaming
    }

    /// How a call's instance is chosen.
    public enum Routing: String, Sendable, Hashable {
        /// The live instance with the fewest outstanding calls.
        case any
        /// The owner of the slot that the id in `pinnedBy` carries.
        case pinned
        /// The instance that the caller names.
        case instance
    }

    /// The full service name, such as `bellwire.calls.v1.Calls`.
    public let service: String
    /// The name under which instances register, such as `calls`.
    public let package: String
    /// The method's name, such as `HangUpCall`.
    public let name: String
    public let kind: Kind
    public let routing: Routing
    /// The request's field (proto name) with the pinned id; nil unless pinned.
    public let pinnedBy: String?
    /// Only idempotent methods are retried after the server may have seen them.
    public let idempotent: Bool
    /// The deadline when the caller sets none; nil: none (streams).
    public let defaultDeadline: Duration?
    /// Full message names.
    public let requestType: String
    public let responseType: String
    /// The caller roles that may use the method; empty: all.
    public let roles: [String]
    /// The full name's 64-bit FNV-1a hash: the method's name on the wire.
    package let wireID: UInt64

    public init(
        service: String, package: String, name: String, kind: Kind = .unary, routing: Routing = .any,
        pinnedBy: String? = nil, idempotent: Bool = false, defaultDeadline: Duration? = .seconds(5),
        requestType: String, responseType: String, roles: [String] = []
    ) {
        self.service = service
        self.package = package
        self.name = name
        self.kind = kind
        self.routing = routing
        self.pinnedBy = pinnedBy
        self.idempotent = idempotent
        self.defaultDeadline = defaultDeadline
        self.requestType = requestType
        self.responseType = responseType
        self.roles = roles
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in "\(service)/\(name)".utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
        }
        wireID = hash
    }

    /// `bellwire.calls.v1.Calls/HangUpCall`.
    public var fullName: String { "\(service)/\(name)" }

    public static func == (a: MethodDescriptor, b: MethodDescriptor) -> Bool {
        a.wireID == b.wireID && a.name == b.name && a.service == b.service
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(wireID)
    }
}
