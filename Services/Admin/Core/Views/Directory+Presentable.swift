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
    package static var headings: [String] { ["ID", "IDENTITY", "ACCOUNT", "RING TIME", "RING POLICY", "CREATED"] }

    package var fields: [JSONValue.Field] {
        [
            .init("id", .string(id)), .init("accountId", .string(accountID)), .init("identity", .string(identity)),
            .init("ringTimeSeconds", .number(ringTimeSeconds)), .init("ringPolicy", .name(ringPolicy)),
            .init("minimumMessageSeconds", .number(minimumMessageSeconds)),
            .init("outgoingBarred", .bool(outgoingBarred)),
            .init("defaultPersonaId", .string(defaultPersonaID)), .init("created", .time(created)),
            .init("updated", .time(updated)),
        ]
    }

    package var row: [String] {
        [id, identity, accountID, "\(ringTimeSeconds) s", ringPolicy.description, created.short]
    }
}

extension DirectoryV1.PhoneNumber: Presentable {
    package static var headings: [String] { ["ID", "NUMBER", "OWNER", "STATE", "CREATED"] }

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

extension DirectoryV1.Trunk: Presentable {
    package static var headings: [String] { ["ID", "NAME", "ACCOUNT", "HOST", "PREFIXES", "PRIORITY", "CREATED"] }

    package var fields: [JSONValue.Field] {
        [
            .init("id", .string(id)), .init("accountId", .string(accountID)), .init("name", .string(name)),
            .init("host", .string(host)), .init("port", .number(port)), .init("transport", .name(transport)),
            .init("username", .textOrNull(username)), .init("callerRule", .name(callerRule)),
            .init("callerNumber", .textOrNull(callerNumber)), .init("prefixes", .array(prefixes.map { .string($0) })),
            .init("priority", .number(priority)), .init("created", .time(created)),
        ]
    }

    package var row: [String] {
        [
            id, name, accountID, "\(host):\(port);\(transport)",
            prefixes.isEmpty ? "any" : prefixes.joined(separator: ","),
            "\(priority)", created.short,
        ]
    }
}

extension DirectoryV1.SIPContact: Presentable {
    package static var headings: [String] { ["ID", "OWNER", "ADDRESS", "CREATED"] }

    package var fields: [JSONValue.Field] {
        [
            .init("id", .string(id)), .init("accountId", .string(accountID)), .init("owner", .string(userID)),
            .init("address", .string(uri)), .init("created", .time(created)),
        ]
    }

    package var row: [String] { [id, userID, uri, created.short] }
}
