package import Wire
import WireFormat

extension DirectoryV1.Account: Presentable {
    package static var headings: [String] { ["ID", "NAME", "SIP DOMAIN", "REGION", "CREATED"] }

    package var fields: [JSONValue.Field] {
        [
            .init("id", .string(id)), .init("name", .string(name)), .init("sipDomain", .string(sipDomain)),
            .init("region", .string(region)), .init("created", .time(created)), .init("updated", .time(updated)),
        ]
    }

    package var row: [String] { [id, name, sipDomain, region, created.short] }
}

extension DirectoryV1.User: Presentable {
    package static var headings: [String] { ["ID", "IDENTITY", "RING TIME", "RING POLICY", "CREATED"] }

    package var fields: [JSONValue.Field] {
        [
            .init("id", .string(id)), .init("accountId", .string(accountID)), .init("identity", .string(identity)),
            .init("ringTimeSeconds", .number(ringTimeSeconds)), .init("ringPolicy", .name(ringPolicy)),
            .init("minimumMessageSeconds", .number(minimumMessageSeconds)),
            .init("defaultPersonaId", .string(defaultPersonaID)), .init("created", .time(created)),
            .init("updated", .time(updated)),
        ]
    }

    package var row: [String] { [id, identity, "\(ringTimeSeconds) s", ringPolicy.description, created.short] }
}

extension DirectoryV1.PhoneNumber: Presentable {
    package static var headings: [String] { ["ID", "NUMBER", "USER", "STATE", "CREATED"] }

    package var fields: [JSONValue.Field] {
        [
            .init("id", .string(id)), .init("phoneNumber", .string(phoneNumber)),
            .init("accountId", .string(accountID)),
            .init("owner", .string(userID)), .init("sudoOwner", .string(personaID)), .init("state", .name(state)),
            .init("version", .number(version)), .init("created", .time(created)), .init("updated", .time(updated)),
        ]
    }

    package var row: [String] { [id, phoneNumber, userID, state.description, created.short] }
}
