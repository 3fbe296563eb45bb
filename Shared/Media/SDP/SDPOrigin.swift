/// `o=`: who made the description, and which version of it this is (RFC 8866 section 5.2).
public struct SDPOrigin: Sendable, Equatable {
    public var username: String
    public var sessionID: String
    public var sessionVersion: String
    public var connection: SDPConnection

    public init(username: String = "-", sessionID: String, sessionVersion: String, connection: SDPConnection) {
        self.username = username
        self.sessionID = sessionID
        self.sessionVersion = sessionVersion
        self.connection = connection
    }
}
