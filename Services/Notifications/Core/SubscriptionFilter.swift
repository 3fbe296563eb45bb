package import Bus
package import Domain
import RPC
package import Wire
import WireFormat

/// What one subscriber wants to hear, and how the log's elements read for it.
package struct SubscriptionFilter: Sendable, Equatable {
    package let topics: Set<Topic>
    /// Nil: everybody's.
    package let owner: BellwireID?
    /// Nil: from now on.
    package let after: ResumeToken?

    package init(_ request: NotificationsV1.SubscribeRequest) throws {
        var topics: Set<Topic> = []
        for topic in request.topics { topics.insert(try Topic(topic)) }
        self.topics = topics.isEmpty ? [.records, .voicemails] : topics
        if request.owner.isEmpty {
            owner = nil
        } else {
            guard let id = BellwireID(request.owner) else {
                throw RPCError(.invalidArgument, "owner: not a user's id")
            }
            owner = id
        }
        after = try ResumeToken(after: request.after)
    }

    /// Nil for what the subscriber does not hear.
    ///
    /// - Throws: `WireError` for a payload that is not what the event says.
    package func update(for element: EventSubscription.Element) throws -> NotificationsV1.Update? {
        var update = NotificationsV1.Update()
        switch element {
        case .subscribed(let token):
            update.token = token.description
            update.change = .subscribed(NotificationsV1.Subscribed())
        case .reset(let token, let reason):
            update.token = token.description
            update.change = .reset(NotificationsV1.Reset(reason))
        case .event(let event):
            guard let change = try change(of: event) else { return nil }
            update.token = event.token.description
            update.change = change
        }
        return update
    }

    private func change(of event: LoggedEvent) throws -> NotificationsV1.Update.Change? {
        guard let topic = Topic(rawValue: event.topic), topics.contains(topic) else { return nil }
        switch topic {
        case .calls:
            // Both parties of a call hear of it; the log knows one owner at most.
            let call = try CallsV1.CallEvent(wireBytes: event.payload)
            let parties = [call.call?.caller, call.call?.callee].compactMap { $0 }.filter(\.local)
            guard owner == nil || parties.contains(where: { isOwner($0.userID) }) else { return nil }
            return .call(call)
        case .records:
            guard isOwner(event.owner) else { return nil }
            return .record(try RecordsV1.CallRecordEvent(wireBytes: event.payload))
        case .voicemails:
            guard isOwner(event.owner) else { return nil }
            return .voicemail(try VoicemailV1.VoicemailEvent(wireBytes: event.payload))
        }
    }

    private func isOwner(_ id: String) -> Bool {
        guard let owner else { return true }
        return BellwireID(id) == owner
    }
}

extension NotificationsV1.Reset {
    init(_ reason: EventSubscription.ResetReason) {
        self.init()
        switch reason {
        case .tooOld: self.reason = "expired"
        case .unknownIncarnation, .future: self.reason = "unknown"
        }
    }
}

extension ResumeToken {
    /// Nil for an empty text.
    init?(after text: String) throws(RPCError) {
        guard !text.isEmpty else { return nil }
        guard let token = ResumeToken(text) else {
            throw RPCError(.invalidArgument, "after: not a resume token")
        }
        self = token
    }
}
