public import Domain
public import Store

/// An event at its place in the log.
public struct LoggedEvent: Sendable, Equatable {
    /// Which log the position belongs to.
    public let incarnation: BellwireID
    /// Dense over all topics: the next event has the next number.
    public let position: UInt64
    public let topic: String
    public let key: String
    public let version: Int64
    public let owner: String
    public let type: String
    public let payload: [UInt8]
    /// When it was published, by PostgreSQL's clock.
    public let created: StoreTime

    package init(
        incarnation: BellwireID, position: UInt64, topic: String, key: String, version: Int64, owner: String,
        type: String, payload: [UInt8], created: StoreTime
    ) {
        self.incarnation = incarnation
        self.position = position
        self.topic = topic
        self.key = key
        self.version = version
        self.owner = owner
        self.type = type
        self.payload = payload
        self.created = created
    }

    /// To go on behind this event.
    public var token: ResumeToken { ResumeToken(incarnation: incarnation, position: position) }
}
