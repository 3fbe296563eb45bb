/// Names a call that we set up, for its whole life: the INVITE that is sent again with credentials keeps it.
public struct InviteID: Hashable, Sendable, Codable {
    public var callID: String
    public var localTag: String

    public init(callID: String, localTag: String) {
        self.callID = callID
        self.localTag = localTag
    }
}
