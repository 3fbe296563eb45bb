import AdminCore
import Testing
import Wire

@Suite struct RequestCheckTests {
    @Test(arguments: [
        "{}", #"{"account":"demo","limit":3}"#, #"{"account" : "a\\"b", "after":null}"#, " {\n} ",
    ])
    func `takes the fields there are`(json: String) throws {
        try RequestCheck.check(json, as: DirectoryV1.ListUsersRequest.self)
    }

    @Test func `takes original names, nested messages and lists`() throws {
        let call = #"{"call_id":"x"}"#
        try RequestCheck.check(call, as: CallsV1.GetCallRequest.self)
        let calls = #"{"calls":[{"id":"1","caller":{"number":"+1"}}],"next":""}"#
        try RequestCheck.check(calls, as: CallsV1.ListCallsResponse.self)
    }

    @Test(arguments: [
        (#"{"calls":[{"id":"1"},{"caller":{"nummer":"+1"}}]}"#, "calls[1].caller.nummer", "displayName"),
        (#"{"nxt":""}"#, "nxt", "next"), (#"{"n\u0065xd":""}"#, "nexd", "next"),
        (#"{"next":"a","next":"b"}"#, "next", "twice"),
        (#"{"calls":[{"account_id":"a","accountId":"b"}]}"#, "calls[0].accountId", "twice"),
    ])
    func `refuses others and names them by their path`(json: String, path: String, also: String) {
        let error = #expect(throws: CommandFailure.self) {
            try RequestCheck.check(json, as: CallsV1.ListCallsResponse.self)
        }
        #expect(error?.description.contains(path) == true)
        #expect(error?.description.contains(also) == true)
    }

    @Test func `knows the members of a oneof, and what is in them`() throws {
        let fields = MessageField.all(of: NotificationsV1.Update.self)
        #expect(fields.map(\.name) == ["token", "subscribed", "reset", "call", "record", "voicemail"])
        #expect(fields.filter { $0.label == .oneof }.count == 5)
        let update = #"{"token":"t","record":{"record":{"id":"r"},"deleted":true}}"#
        try RequestCheck.check(update, as: NotificationsV1.Update.self)
        let error = #expect(throws: CommandFailure.self) {
            try RequestCheck.check(#"{"record":{"record":{"ident":"r"}}}"#, as: NotificationsV1.Update.self)
        }
        #expect(error?.description.contains("record.record.ident") == true)
    }

    @Test func `knows names, types, words and presence of fields`() {
        let fields = MessageField.all(of: DirectoryV1.CreateUserRequest.self)
        let ringTime = fields.first { $0.name == "ringTimeSeconds" }
        #expect(ringTime?.label == .optional)
        #expect(ringTime?.typeName == "uint32")
        #expect(fields.first { $0.name == "ringPolicy" }?.words.contains("newestDevice") == true)
        #expect(fields.first { $0.name == "account" }?.label == .single)
    }
}
