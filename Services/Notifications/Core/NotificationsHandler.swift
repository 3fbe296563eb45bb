package import Bus
import Domain
package import Observability
package import RPC
package import Store
package import Wire
import WireFormat

/// `bellwire.notifications.v1.Notifications`: what a user's devices are, and the log's changes to whoever listens.
///
/// A stream pulls from the log as fast as its reader takes: a slow reader costs no memory. It ends with `cancelled` when
/// the reader goes, and with `unavailable` when this instance does; the reader resumes anywhere with its last token.
package struct NotificationsHandler: NotificationsV1.NotificationsService {
    private let database: Database
    private let directory: DirectoryV1.DirectoryClient
    private let events: EventBus
    private let logger: Logger
    private let malformed: Counter
    private let subscribers: Gauge

    /// - Parameter directory: knows the users' SIP contacts.
    package init(
        database: Database, directory: DirectoryV1.DirectoryClient, events: EventBus, logger: Logger, counters: Counters
    ) {
        self.database = database
        self.directory = directory
        self.events = events
        self.logger = logger
        malformed = counters.counter("notifications_malformed_events_total")
        subscribers = counters.gauge("notifications_subscribers")
    }

    package func listDevices(
        _ request: NotificationsV1.ListDevicesRequest, context: CallContext
    ) async throws -> NotificationsV1.ListDevicesResponse {
        guard let user = BellwireID(request.userID) else { throw RPCError(.invalidArgument, "userId: not an id") }
        let rows = try await database.query(
            "SELECT * FROM notifications.device WHERE user_id = \(user) ORDER BY created DESC, id DESC")
        var response = NotificationsV1.ListDevicesResponse()
        response.devices = try rows.map(NotificationsV1.Device.init(row:)) + (try await contacts(of: user))
        response.devices.sort { ($0.created ?? .init(), $0.id) > ($1.created ?? .init(), $1.id) }
        return response
    }

    private func contacts(of user: BellwireID) async throws -> [NotificationsV1.Device] {
        var request = DirectoryV1.ListSIPContactsRequest()
        request.user = user.description
        do {
            return try await directory.listSIPContacts(request).contacts.map(NotificationsV1.Device.init)
        } catch {
            guard error.code == .notFound else { throw error }
            return []
        }
    }

    package func subscribe(
        _ request: NotificationsV1.SubscribeRequest, responses: ResponseWriter<NotificationsV1.Update>,
        context: CallContext
    ) async throws {
        let filter = try SubscriptionFilter(request)
        let topics = Set(filter.topics.map(\.rawValue))
        try await follow(events.subscribe(after: filter.after, topics: topics)) { element in
            if let update = try filter.update(for: element) { try await responses.write(update) }
        }
    }

    package func tailEvents(
        _ request: NotificationsV1.TailEventsRequest, responses: ResponseWriter<NotificationsV1.LoggedEvent>,
        context: CallContext
    ) async throws {
        let filter = try TailFilter(request)
        let after =
            request.after == "start"
            ? try await EventLog.start(in: database) : try ResumeToken(after: request.after)
        try await follow(events.subscribe(after: after, topics: filter.topics)) { element in
            try await responses.write(filter.event(for: element))
        }
    }

    private func follow(
        _ subscription: EventSubscription, _ tell: (EventSubscription.Element) async throws -> Void
    ) async throws {
        subscribers.add(1)
        defer { subscribers.add(-1) }
        for try await element in subscription {
            do {
                try await tell(element)
            } catch is WireError {
                malformed.increment()
                if case .event(let event) = element {
                    logger.error(
                        "malformed event passed over",
                        [.topic: .trusted(event.topic), .position: .int(Int(event.position))])
                }
            }
        }
        throw RPCError(.unavailable, "this instance stops; resume with the last token")
    }
}

extension NotificationsV1.Device {
    fileprivate init(_ contact: DirectoryV1.SIPContact) {
        self.init()
        id = contact.id
        userID = contact.userID
        kind = .sipContact
        created = contact.created
        lastSeen = contact.created
        address = contact.uri
    }

    fileprivate init(row: Row) throws {
        self.init()
        id = try row.string("id")
        userID = try row.string("user_id")
        kind =
            switch try row.string("kind") {
            case "session": .session
            case "push": .push
            case "sipContact": .sipContact
            default: .unspecified
            }
        let times = (created: try row.time("created"), lastSeen: try row.time("last_seen"))
        created = Timestamp(seconds: times.created.seconds, nanos: times.created.nanoseconds)
        lastSeen = Timestamp(seconds: times.lastSeen.seconds, nanos: times.lastSeen.nanoseconds)
    }
}
