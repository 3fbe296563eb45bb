package import Wire
import WireFormat

extension CallsV1.Party {
    var json: JSONValue {
        .object([
            .init("local", .bool(local)), .init("accountId", .textOrNull(accountID)),
            .init("userId", .textOrNull(userID)),
            .init("identity", .textOrNull(identity)), .init("personaId", .textOrNull(personaID)),
            .init("phoneNumberId", .textOrNull(phoneNumberID)),
            .init("number", .textOrNull(number)), .init("withheld", .bool(withheld)),
            .init("displayName", .textOrNull(displayName)), .init("recordId", .textOrNull(recordID)),
        ])
    }

    var short: String { withheld ? "withheld" : number }
}

extension CallsV1.Termination {
    var json: JSONValue { .object([.init("reason", .string(reason)), .init("side", .name(side))]) }
}

extension CallsV1.Call: Presentable {
    package static var headings: [String] { ["ID", "STATE", "FROM", "TO", "ENDED BY", "CREATED"] }

    package var fields: [JSONValue.Field] {
        [
            .init("id", .string(id)), .init("accountId", .string(accountID)), .init("state", .name(state)),
            .init("caller", caller?.json ?? .null), .init("callee", callee?.json ?? .null),
            .init("termination", termination?.json ?? .null), .init("divertedToVoicemail", .bool(divertedToVoicemail)),
            .init("version", .number(version)), .init("created", .time(created)), .init("updated", .time(updated)),
            .init("ringing", .time(ringing)), .init("answered", .time(answered)), .init("ended", .time(ended)),
            .init("instance", .textOrNull(instance)),
        ]
    }

    package var row: [String] {
        [
            id, state.description, caller?.short ?? "", callee?.short ?? "", termination?.reason ?? "", created.short,
        ]
    }
}
