/// How one call is made.
public struct CallOptions: Sendable {
    /// The pinned id (`BellwireID` text); nil unless the method is pinned.
    public var key: String?
    /// The service asked when it is not the method's own package: every service answers `bellwire.runtime.v1`.
    public var service: String?
    /// The instance asked; nil: as the method's routing says.
    public var instance: String?
    /// How long to wait at most; nil: the method's default. An inherited deadline shortens it.
    public var deadline: Duration?

    public init(key: String? = nil, service: String? = nil, instance: String? = nil, deadline: Duration? = nil) {
        self.key = key
        self.service = service
        self.instance = instance
        self.deadline = deadline
    }
}
