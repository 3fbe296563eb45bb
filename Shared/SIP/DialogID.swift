/// What names a dialog at one of its ends (RFC 3261 section 12).
public struct DialogID: Hashable, Sendable, Codable {
    public var callID: String
    public var localTag: String
    public var remoteTag: String

    public init(callID: String, localTag: String, remoteTag: String) {
        self.callID = callID
        self.localTag = localTag
        self.remoteTag = remoteTag
    }
}
