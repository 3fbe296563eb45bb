package import Wire
import WireFormat

extension RecordsV1.VoicemailData {
    var json: JSONValue {
        .object([
            .init("id", .string(id)), .init("durationSeconds", .number(durationSeconds)),
            .init("media", media?.json ?? .null),
        ])
    }
}

extension RecordsV1.CallRecord: Presentable {
    package static var headings: [String] {
        ["ID", "DIRECTION", "STATE", "LOCAL", "REMOTE", "TALK", "VOICEMAIL", "CREATED"]
    }

    package var fields: [JSONValue.Field] {
        [
            .init("id", .string(id)), .init("owner", .string(owner)), .init("sudoOwner", .string(sudoOwner)),
            .init("phoneNumberId", .textOrNull(phoneNumberID)), .init("direction", .name(direction)),
            .init("state", .name(state)), .init("created", .time(created)), .init("updated", .time(updated)),
            .init("localPhoneNumber", .string(localPhoneNumber)),
            .init("remotePhoneNumber", .string(remotePhoneNumber)),
            .init("durationSeconds", .number(durationSeconds)), .init("voicemail", voicemail?.json ?? .null),
            .init("callId", .string(callID)), .init("accountId", .string(accountID)),
            .init("termination", termination?.json ?? .null), .init("version", .number(version)),
        ]
    }

    package var row: [String] {
        [
            id, direction.description, state.description, localPhoneNumber,
            remotePhoneNumber.isEmpty ? "withheld" : remotePhoneNumber, "\(durationSeconds) s",
            voicemail.map { "\($0.durationSeconds) s" } ?? "", created.short,
        ]
    }
}
