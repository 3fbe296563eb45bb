import RPC
import Wire

/// The topics of the event log that clients may see; the raw values are the log's.
package enum Topic: String, CaseIterable, Sendable {
    case calls, records, voicemails

    init(_ wire: NotificationsV1.Topic) throws(RPCError) {
        switch wire {
        case .calls: self = .calls
        case .records: self = .records
        case .voicemails: self = .voicemails
        case .unspecified, .unrecognized: throw RPCError(.invalidArgument, "topics: unknown topic")
        }
    }
}
