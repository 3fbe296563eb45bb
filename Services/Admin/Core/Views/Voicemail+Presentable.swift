package import Wire
import WireFormat

extension VoicemailV1.MediaObject {
    var json: JSONValue {
        .object([.init("key", .string(key)), .init("bucket", .string(bucket)), .init("region", .string(region))])
    }
}

extension VoicemailV1.Voicemail: Presentable {
    package static var headings: [String] { ["ID", "FROM", "TO", "LENGTH", "CREATED"] }

    package var fields: [JSONValue.Field] {
        [
            .init("id", .string(id)), .init("owner", .string(owner)), .init("sudoOwner", .string(sudoOwner)),
            .init("phoneNumberId", .textOrNull(phoneNumberID)), .init("callRecordId", .textOrNull(callRecordID)),
            .init("created", .time(created)), .init("updated", .time(updated)),
            .init("localPhoneNumber", .string(localPhoneNumber)),
            .init("remotePhoneNumber", .string(remotePhoneNumber)),
            .init("durationSeconds", .number(durationSeconds)), .init("media", media?.json ?? .null),
            .init("callId", .string(callID)), .init("accountId", .string(accountID)),
            .init("displayName", .textOrNull(displayName)), .init("sizeBytes", .number(sizeBytes)),
            .init("version", .number(version)),
        ]
    }

    package var row: [String] {
        [
            id, remotePhoneNumber.isEmpty ? "withheld" : remotePhoneNumber, localPhoneNumber, "\(durationSeconds) s",
            created.short,
        ]
    }
}

extension VoicemailV1.Greeting: Presentable {
    package static var headings: [String] { ["OWNER", "CUSTOM", "LENGTH", "UPDATED"] }

    package var fields: [JSONValue.Field] {
        [
            .init("owner", .string(owner)), .init("custom", .bool(custom)),
            .init("durationMilliseconds", .number(durationMilliseconds)), .init("updated", .time(updated)),
        ]
    }

    package var row: [String] { [owner, custom ? "yes" : "no", "\(durationMilliseconds) ms", updated.short] }
}
