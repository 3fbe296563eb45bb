package import Bus
import Domain
import RPC
import Store
package import Wire
import WireFormat

/// What the operator wants to see of the log as it is.
package struct TailFilter: Sendable, Equatable {
    /// Empty: all.
    package let topics: Set<String>

    package init(_ request: NotificationsV1.TailEventsRequest) throws {
        for topic in request.topics where Topic(rawValue: topic) == nil {
            let known = Topic.allCases.map(\.rawValue).joined(separator: ", ")
            throw RPCError(.invalidArgument, "topics: one of \(known)")
        }
        topics = Set(request.topics)
    }

    /// An event without a topic only says that the subscription stands, and from where.
    package func event(for element: EventSubscription.Element) -> NotificationsV1.LoggedEvent {
        var wire = NotificationsV1.LoggedEvent()
        switch element {
        case .subscribed(let token):
            wire.token = token.description
            wire.position = token.position
        case .reset(let token, let reason):
            wire.token = token.description
            wire.position = token.position
            wire.reset = NotificationsV1.Reset(reason)
        case .event(let event):
            wire.token = event.token.description
            wire.position = event.position
            wire.topic = event.topic
            wire.key = event.key
            wire.version = UInt64(clamping: event.version)
            wire.owner = event.owner
            wire.created = Timestamp(seconds: event.created.seconds, nanos: event.created.nanoseconds)
            wire.type = event.type
            wire.payload = event.payload
        }
        return wire
    }
}
