package import Wire
import WireFormat

extension NotificationsV1.Device: Presentable {
    package static var headings: [String] { ["ID", "KIND", "ADDRESS", "LAST SEEN", "CREATED"] }

    package var fields: [JSONValue.Field] {
        [
            .init("id", .string(id)), .init("owner", .string(userID)), .init("kind", .name(kind)),
            .init("created", .time(created)), .init("lastSeen", .time(lastSeen)),
            .init("address", .textOrNull(address)),
        ]
    }

    package var row: [String] { [id, kind.description, address, lastSeen.short, created.short] }
}
