import AdminCore
import Foundation
import Glibc
import Runtime
import Synchronization
import Testing
import Wire
import WireFormat

@Suite struct OutputTests {
    @Test func `escapes text so that any JSON parser reads it back`() throws {
        let text = "a\"b\\c\n\r\t\u{0}\u{1F}\u{2028}é\u{1F514}"
        let line = JSONValue.object([.init("text", .string(text)), .init("none", .null)]).text
        #expect(!line.contains("\n"))
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(object?["text"] as? String == text)
        #expect(object?["none"] is NSNull)
    }

    @Test func `aligns columns and leaves no control character to the terminal`() {
        var table = TextTable(["ID", "NAME"])
        table.append(["1", "a\u{1B}[2Jb"])
        table.append(["1234", ""])
        #expect(table.text() == "ID    NAME\n1     a\u{FFFD}[2Jb\n1234\n")
    }

    @Test func `ends long cells in an ellipsis, and leaves ids whole`() {
        var table = TextTable(["ID", "NAME"])
        let long = String(repeating: "n", count: 500)
        table.append([long, long])
        #expect(table.text() == "ID" + String(repeating: " ", count: 500) + "NAME\n\(long)  \(long.prefix(63))…\n")
        var narrow = TextTable(["ID", "NAME", "MORE"])
        narrow.append(["0123456789", "abcdefghijklmnop", "x"])
        #expect(narrow.text(columns: 30).split(separator: "\n").allSatisfy { $0.count <= 30 })
        #expect(narrow.text(columns: 30).contains("0123456789  abcdefghijk…"))
    }

    @Test func `shows people the fields inside a field by their path`() throws {
        var call = CallsV1.Call()
        call.id = "c1"
        call.caller = CallsV1.Party()
        call.caller?.number = "+12025550147"
        let text = Mutex("")
        try Output(json: false, standardOutput: { line in text.withLock { $0 += line } }).show(call)
        let shown = text.withLock { $0 }
        #expect(shown.contains("caller.number"))
        #expect(!shown.contains("{") && !shown.contains("\""))
    }

    @Test func `tells what went wrong as an object of its own in JSON`() async throws {
        let errors = Mutex("")
        let output = Output(
            json: true, standardOutput: { _ in }, standardError: { text in errors.withLock { $0 += text } })
        let status = await BellwireCommand.run(["record", "show", "--json"], environment: [:], output: output)
        #expect(status == 64)
        let line = errors.withLock { $0 }
        #expect(line.filter { $0 == "\n" }.count == 1)
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let error = try #require(object?["error"] as? [String: Any])
        #expect(error["code"] as? String == "usage")
        #expect(error["exitStatus"] as? Int == 64)
        #expect((error["message"] as? String)?.contains("RECORD") == true)
    }

    @Test func `tells that the output could not be written, and is quiet when the reader went away`() async {
        let errors = Mutex("")
        func run(_ failure: any Error) async -> Int32 {
            let output = Output(
                json: false, standardOutput: { _ in throw failure },
                standardError: { text in errors.withLock { $0 += text } })
            return await BellwireCommand.run(["rpc", "list"], environment: [:], output: output)
        }
        #expect(await run(OutputClosed()) == 0)
        #expect(errors.withLock { $0 }.isEmpty)
        #expect(await run(OutputFailure(SystemError("write", code: ENOSPC))) == 74)
        #expect(errors.withLock { $0 }.contains("No space left"))
    }

    @Test func `writes a real stream to its end or says why not`() throws {
        let full = open("/dev/full", O_WRONLY)
        defer { close(full) }
        #expect(throws: OutputFailure.self) { try StandardStreams.write([1, 2, 3], to: full) }
        #expect(throws: OutputFailure.self) { try StandardStreams.write([1], to: -1) }
    }

    @Test func `shows a record with the public names, lower camel words and UTC times`() throws {
        var record = RecordsV1.CallRecord()
        record.id = "r1"
        record.owner = "u1"
        record.sudoOwner = "p1"
        record.direction = .inbound
        record.state = .unanswered
        record.created = Timestamp(seconds: 1_700_000_000, nanos: 250_000_000)
        record.localPhoneNumber = "+12025550123"
        record.remotePhoneNumber = "+12025550147"
        let object = try json(record)
        #expect(object["direction"] as? String == "inbound")
        #expect(object["state"] as? String == "unanswered")
        #expect(object["created"] as? String == "2023-11-14T22:13:20.250Z")
        #expect(object["durationSeconds"] as? Int == 0)
        #expect(object["voicemail"] is NSNull)
        #expect(object["phoneNumberId"] is NSNull)
        for name in ["sudoOwner", "updated", "localPhoneNumber", "remotePhoneNumber", "termination"] {
            #expect(object[name] != nil, "\(name)")
        }

        var data = RecordsV1.VoicemailData()
        data.id = "v1"
        data.durationSeconds = 5
        data.media = VoicemailV1.MediaObject()
        record.voicemail = data
        let voicemail = try #require(try json(record)["voicemail"] as? [String: Any])
        #expect(voicemail["durationSeconds"] as? Int == 5)
        #expect(voicemail["media"] is [String: Any])
    }

    @Test func `says of a withheld number that it is withheld`() {
        var record = RecordsV1.CallRecord()
        record.localPhoneNumber = "+12025550123"
        var voicemail = VoicemailV1.Voicemail()
        voicemail.localPhoneNumber = "+12025550123"
        #expect(record.row.contains("withheld") && voicemail.row.contains("withheld"))
        #expect(EventLine.text(record, deleted: false).contains("withheld"))
        #expect(EventLine.text(voicemail, deleted: false).contains("withheld -> +12025550123"))
    }

    @Test func `tells a diverted call that goes on from one that has ended`() {
        var call = CallsV1.Call()
        call.divertedToVoicemail = true
        let before = EventLine.text(call)
        call.ended = Timestamp(seconds: 1_700_000_000)
        #expect(EventLine.text(call) != before && EventLine.text(call).contains("ended"))
    }

    @Test func `shows a voicemail without a record as having none`() throws {
        var voicemail = VoicemailV1.Voicemail()
        voicemail.id = "v1"
        #expect(try json(voicemail)["callRecordId"] is NSNull)
        voicemail.callRecordID = "r1"
        #expect(try json(voicemail)["callRecordId"] as? String == "r1")
    }

    @Test func `shows pages to the end, and where to go on when limited`() async throws {
        let devices = (0..<450).map { index in
            var device = NotificationsV1.Device()
            device.id = "d\(index)"
            return device
        }
        func shown(limit: UInt32?) async throws -> (ids: [String], notes: String) {
            let lines = Mutex("")
            let notes = Mutex("")
            let output = Output(
                json: true, standardOutput: { text in lines.withLock { $0 += text } },
                standardError: { text in notes.withLock { $0 += text } })
            try await Pages(limit: limit, after: "").show(on: output) { limit, after in
                let start = Int(after) ?? 0
                let end = min(devices.count, start + Int(limit))
                return (Array(devices[start..<end]), end < devices.count ? "\(end)" : "")
            }
            let ids = try lines.withLock { $0 }.split(separator: "\n").map { line in
                try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])["id"] as? String
                    ?? ""
            }
            return (ids, notes.withLock { $0 })
        }
        let all = try await shown(limit: nil)
        #expect(all.ids == devices.map(\.id))
        #expect(all.notes.isEmpty)
        let some = try await shown(limit: 203)
        #expect(some.ids == devices.prefix(203).map(\.id))
        #expect(some.notes.contains("--after 203"))
    }

    private func json(_ item: some Presentable) throws -> [String: Any] {
        let lines = Mutex("")
        try Output(json: true, standardOutput: { text in lines.withLock { $0 += text } }).show(item)
        let line = lines.withLock { $0 }
        #expect(line.hasSuffix("\n") && line.filter { $0 == "\n" }.count == 1)
        return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
}
