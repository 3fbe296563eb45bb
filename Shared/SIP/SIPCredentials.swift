/// User name and password for a digest challenge (RFC 2617). Kept in memory only.
public struct SIPCredentials: Hashable, Sendable, CustomStringConvertible {
    public var user: String
    public var password: String

    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    public var description: String { "…" }
}
