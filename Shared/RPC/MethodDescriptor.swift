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

    /// Every call carries its method about: one reference is cheaper to copy than eight texts.
    private final class Storage: Sendable {
        let service: String
        let package: String
        let name: String
        let kind: Kind
        let routing: Routing
        let pinnedBy: String?
        let idempotent: Bool
        let defaultDeadline: Duration?
        let requestType: String
        let responseType: String
        let roles: [String]
        let wireID: UInt64

        init(
            service: String, package: String, name: String, kind: Kind, routing: Routing, pinnedBy: String?,
            idempotent: Bool, defaultDeadline: Duration?, requestType: String, responseType: String, roles: [String]
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
    }

    private let storage: Storage

    public init(
        service: String, package: String, name: String, kind: Kind = .unary, routing: Routing = .any,
        pinnedBy: String? = nil, idempotent: Bool = false, defaultDeadline: Duration? = .seconds(5),
        requestType: String, responseType: String, roles: [String] = []
    ) {
        storage = Storage(
            service: service, package: package, name: name, kind: kind, routing: routing, pinnedBy: pinnedBy,
            idempotent: idempotent, defaultDeadline: defaultDeadline, requestType: requestType,
            responseType: responseType, roles: roles)
    }

    /// The full service name, such as `bellwire.calls.v1.Calls`.
    public var service: String { storage.service }
    /// The name under which instances register, such as `calls`.
    public var package: String { storage.package }
    /// The method's name, such as `HangUpCall`.
    public var name: String { storage.name }
    public var kind: Kind { storage.kind }
    public var routing: Routing { storage.routing }
    /// The request's field (proto name) with the pinned id; nil unless pinned.
    public var pinnedBy: String? { storage.pinnedBy }
    /// Only idempotent methods are retried after the server may have seen them.
    public var idempotent: Bool { storage.idempotent }
    /// The deadline when the caller sets none; nil: none (streams).
    public var defaultDeadline: Duration? { storage.defaultDeadline }
    /// Full message names.
    public var requestType: String { storage.requestType }
    public var responseType: String { storage.responseType }
    /// The caller roles that may use the method; empty: all.
    public var roles: [String] { storage.roles }
    /// The full name's 64-bit FNV-1a hash: the method's name on the wire.
    package var wireID: UInt64 { storage.wireID }

    /// `bellwire.calls.v1.Calls/HangUpCall`.
    public var fullName: String { "\(service)/\(name)" }

    public static func == (a: MethodDescriptor, b: MethodDescriptor) -> Bool {
        a.wireID == b.wireID && a.name == b.name && a.service == b.service
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(wireID)
    }
}
