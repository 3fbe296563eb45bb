package import Wire
import WireFormat

extension NotificationsV1.Device: Presentable {
    package static var headings: [String] { ["ID", "KIND", "LAST SEEN", "CREATED"] }

    package var fields: [JSONValue.Field] {
        [
            .init("id", .string(id)), .init("owner", .string(userID)), .init("kind", .name(kind)),
            .init("created", .time(created)), .init("lastSeen", .time(lastSeen)),
        ]
    }

    package var row: [String] { [id, kind.description, lastSeen.short, created.short] }
}
