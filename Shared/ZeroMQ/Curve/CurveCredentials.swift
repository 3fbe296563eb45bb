public import Observability

/// What a process needs for CURVE: its own key, and the list of keys it deals with. As a server it takes only those;
/// as a client it connects only to those.
public struct CurveCredentials: Sendable {
    public let secret: CurveSecretKey
    public let allowed: AllowedKeys

    public init(secret: CurveSecretKey, allowed: AllowedKeys) {
        self.secret = secret
        self.allowed = allowed
    }

    /// From the two files. Throws `CurveError`.
    public init(keyPath: String, allowedPath: String, logger: Logger? = nil) throws(CurveError) {
        self.init(
            secret: try CurveSecretKey.read(path: keyPath),
            allowed: try AllowedKeys(path: allowedPath, logger: logger))
    }
}
