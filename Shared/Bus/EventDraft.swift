/// A change to be told, written in the transaction that makes it.
public struct EventDraft: Sendable, Equatable {
    /// `calls`, `records`, `voicemails`: what subscribers choose by.
    public var topic: String
    /// What the event is about: a call's id. Events of one topic and key keep their order.
    public var key: String
    /// Counts the changes of the key, and is taken from its row under the row's lock, before `publish`. That is
    /// what keeps the order: publish after the row has been written.
    public var version: Int64
    /// The user whose data it is; empty when nobody's.
    public var owner: String
    /// The message's full name: `bellwire.calls.v1.CallEvent`.
    public var type: String
    public var payload: [UInt8]

    public init(topic: String, key: String, version: Int64, owner: String, type: String, payload: [UInt8]) {
        self.topic = topic
        self.key = key
        self.version = version
        self.owner = owner
        self.type = type
        self.payload = payload
    }
}
