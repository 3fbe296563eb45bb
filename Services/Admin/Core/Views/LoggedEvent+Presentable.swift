package import Wire
import WireFormat

extension NotificationsV1.LoggedEvent: Presentable {
    package static var headings: [String] { ["POSITION", "TOPIC", "KEY", "VERSION", "CREATED"] }

    package var fields: [JSONValue.Field] {
        [
            .init("token", .string(token)), .init("position", .number(position)), .init("topic", .string(topic)),
            .init("key", .string(key)), .init("version", .number(version)), .init("owner", .textOrNull(owner)),
            .init("created", .time(created)), .init("type", .string(type)), .init("payload", content),
        ]
    }

    package var row: [String] { ["\(position)", topic, key, "\(version)", created.short] }

    /// The payload by its message's JSON mapping; null when this program does not know the message.
    private var content: JSONValue {
        switch type {
        case CallsV1.CallEvent.messageName:
            if let event = try? CallsV1.CallEvent(wireBytes: payload), let call = event.call {
                return .object(call.fields)
            }
        case RecordsV1.CallRecordEvent.messageName:
            if let event = try? RecordsV1.CallRecordEvent(wireBytes: payload), let record = event.record {
                return .object(record.fields + [.init("deleted", .bool(event.deleted))])
            }
        case VoicemailV1.VoicemailEvent.messageName:
            if let event = try? VoicemailV1.VoicemailEvent(wireBytes: payload), let voicemail = event.voicemail {
                return .object(voicemail.fields + [.init("deleted", .bool(event.deleted))])
            }
        default:
            if let message = try? WireRegistry.messages[type]?.init(wireBytes: payload), let json = try? message.json()
            {
                return .raw(json)
            }
        }
        return .null
    }
}
