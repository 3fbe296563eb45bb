import Domain
import Media
import Observability
import RPC
import Store
import TestSupport
import Testing
import VoicemailCore
import Wire
import WireFormat

@Suite(.serialized)
struct VoicemailRequestTests {
    /// Voicemails as finished recordings make them.
    private func make(_ fixture: VoicemailFixture, _ count: Int, recordID: BellwireID? = nil) async throws -> [String] {
        var ids: [String] = []
        for index in 0..<count {
            var request = VoicemailV1.TakeCallRequest()
            request.callID = BellwireID.make().description
            request.accountID = BellwireID.make().description
            request.owner = fixture.owner.description
            request.callRecordID = recordID?.description ?? ""
            request.localPhoneNumber = index % 2 == 0 ? "+12025550100" : "+12025550101"
            let id = BellwireID.make()
            // Two of each moment, so that the id has to decide.
            let recording = try #require(
                LiveRecording(
                    request, id: id, epoch: 1, instance: "voicemail-1",
                    created: 1_700_000_000_000_000 + Int64(index / 2),
                    sampleRate: 8_000))
            let folder = try LiveFolder(beginning: recording, root: fixture.folder + "/live")
            let file = try DiskFile("\(fixture.folder)/live/\(id)/audio.wav", .update)
            try file.write([UInt8](repeating: UInt8(index), count: 200_000), at: 44)
            withExtendedLifetime(folder) {}
            ids.append(id.description)
        }
        await fixture.parts.recovery.recover()
        return ids
    }

    private func code(_ body: () async throws -> Void) async -> StatusCode? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? RPCError)?.code
        }
    }

    @Test("Pages show every voicemail once, newest first, whatever shares a moment")
    func paging() async throws {
        try await VoicemailFixture.run { fixture in
            let ids = try await make(fixture, 9)
            var seen: [VoicemailV1.Voicemail] = []
            var after = ""
            repeat {
                let page = try await fixture.list(owner: fixture.owner.description, limit: 2, after: after)
                seen += page.voicemails
                after = page.next
            } while !after.isEmpty
            #expect(Set(seen.map(\.id)) == Set(ids))
            #expect(seen.count == 9)
            let keys = seen.map { ($0.created?.microsecondsSince1970 ?? 0, $0.id) }
            #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 > $1 })
            let ofNumber = try await fixture.list(owner: fixture.owner.description, number: "+12025550101")
            #expect(ofNumber.voicemails.count == 4)
            #expect(await code { _ = try await fixture.list(after: "nonsense") } == .invalidArgument)
        }
    }

    @Test("Another owner's voicemail is as if it were not there")
    func isolation() async throws {
        try await VoicemailFixture.run { fixture in
            let id = try await make(fixture, 1)[0]
            let stranger = BellwireID.make().description
            var get = VoicemailV1.GetVoicemailRequest()
            get.id = id
            get.owner = stranger
            #expect(await code { _ = try await fixture.client.getVoicemail(get) } == .notFound)
            var delete = VoicemailV1.DeleteVoicemailRequest()
            delete.id = id
            delete.owner = stranger
            #expect(await code { _ = try await fixture.client.deleteVoicemail(delete) } == .notFound)
            var download = VoicemailV1.DownloadRequest()
            download.id = id
            download.owner = stranger
            #expect(await code { for try await _ in fixture.client.download(download) {} } == .notFound)
            #expect(try await fixture.list(owner: stranger).voicemails.isEmpty)
            get.owner = fixture.owner.description
            #expect(try await fixture.client.getVoicemail(get).id == id)
        }
    }

    @Test("Ranges are those asked for, cut at the end; a start behind the end is refused")
    func ranges() async throws {
        try await VoicemailFixture.run { fixture in
            let id = try await make(fixture, 1)[0]
            let whole = try await fixture.audio(id)
            #expect(whole.count == 200_044)
            #expect(try await fixture.audio(id, offset: 100, length: 70_000) == Array(whole[100..<70_100]))
            #expect(try await fixture.audio(id, offset: 200_000) == Array(whole[200_000...]))
            #expect(try await fixture.audio(id, offset: 200_000, length: .max) == Array(whole[200_000...]))
            #expect(try await fixture.audio(id, offset: 200_044) == [])
            #expect(await code { _ = try await fixture.audio(id, offset: 200_045) } == .outOfRange)
            #expect(await code { _ = try await fixture.audio(id, offset: .max) } == .outOfRange)
        }
    }

    @Test("Deleted: row and audio are gone, the event names it as it was last; again is notFound")
    func deletion() async throws {
        try await VoicemailFixture.run { fixture in
            let ids = try await make(fixture, 2)
            var delete = VoicemailV1.DeleteVoicemailRequest()
            delete.id = ids[0]
            delete.owner = fixture.owner.description
            #expect(try await fixture.client.deleteVoicemail(delete).id == ids[0])
            #expect(try await fixture.list().voicemails.map(\.id) == [ids[1]])
            let last = try #require(try await fixture.events().last)
            #expect(last.deleted)
            #expect(last.voicemail?.id == ids[0])
            #expect(last.voicemail?.version == 2)
            #expect(await code { _ = try await fixture.client.deleteVoicemail(delete) } == .notFound)
            #expect(await code { _ = try await fixture.audio(ids[0]) } == .notFound)
            #expect(try await fixture.database.query("SELECT 1 AS one FROM voicemail.released_media").isEmpty)
            let shard = "\(fixture.folder)/store/voicemail/messages/\(ids[0].suffix(4).prefix(2))"
            #expect(!Disk.list(shard).contains("\(ids[0]).wav"))
        }
    }

    @Test("A deleted call record leaves its voicemail without its id, and tells so once")
    func recordDeleted() async throws {
        try await VoicemailFixture.run { fixture in
            let recordID = BellwireID.make().callRecordID(of: .callee)
            let id = try await make(fixture, 1, recordID: recordID)[0]
            for _ in 0..<2 { try await deleteRecord(recordID, fixture) }
            let events = try await fixture.events()
            #expect(events.map(\.voicemail?.callRecordID) == [recordID.description, nil])
            #expect(events.map(\.voicemail?.version) == [1, 2])
            #expect(try await fixture.list().voicemails.map(\.id) == [id])
        }
    }

    @Test("A record deleted while the message is recorded is not named by it")
    func recordDeletedBefore() async throws {
        try await VoicemailFixture.run { fixture in
            let recordID = BellwireID.make().callRecordID(of: .callee)
            try await deleteRecord(recordID, fixture)
            _ = try await make(fixture, 1, recordID: recordID)
            #expect(try await fixture.list().voicemails.map(\.callRecordID) == [nil])
        }
    }

    private func deleteRecord(_ id: BellwireID, _ fixture: VoicemailFixture) async throws {
        var event = RecordsV1.CallRecordEvent()
        var record = RecordsV1.CallRecord()
        record.id = id.description
        record.owner = fixture.owner.description
        event.record = record
        event.deleted = true
        let payload = event.wireBytes()
        try await fixture.database.transaction {
            try await fixture.parts.consumer.apply(RecordsV1.CallRecordEvent.messageName, payload, $0)
        }
    }

    @Test("What is no record event is counted and passed over")
    func malformed() async throws {
        try await VoicemailFixture.run { fixture in
            try await fixture.database.transaction {
                try await fixture.parts.consumer.apply(RecordsV1.CallRecordEvent.messageName, [0xFF], $0)
            }
            #expect(fixture.gauge("voicemail_malformed_events_total") == 1)
        }
    }

    @Test("A greeting is converted, shown and cleared; the default one has a length of its own")
    func greetings() async throws {
        try await VoicemailFixture.run { fixture in
            let owner = BellwireID.make().description
            var get = VoicemailV1.GetGreetingRequest()
            get.owner = owner
            let standard = try await fixture.client.getGreeting(get)
            #expect(!standard.custom)
            #expect(standard.durationMilliseconds > 2_000)
            var set = VoicemailV1.SetGreetingRequest()
            set.owner = owner
            let tone = Tone.sine(hertz: 500, duration: .seconds(2), sampleRate: 44_100)
            set.wav =
                WAVAudio(
                    format: WAVFormat(sampleRate: 44_100, channels: 2), samples: tone.flatMap { [$0, $0] }
                ).bytes
            let own = try await fixture.client.setGreeting(set)
            #expect(own.custom)
            #expect(own.durationMilliseconds == 2_000)
            _ = try await fixture.client.setGreeting(set)
            // The fixture's own, and the latest of this one.
            #expect(Disk.list(fixture.folder + "/store/voicemail/greetings").count == 2)
            var clear = VoicemailV1.ClearGreetingRequest()
            clear.owner = owner
            #expect(try await fixture.client.clearGreeting(clear) == standard)
            #expect(try await fixture.client.getGreeting(get) == standard)
            #expect(Disk.list(fixture.folder + "/store/voicemail/greetings").count == 1)
        }
    }

    @Test(
        "While the database is away a greeting seen before is played, the default one to others, and none once cleared")
    func greetingsWithoutDatabase() async throws {
        let postgres = try await TestPostgres.make()
        try await VoicemailFixture.run(url: try await postgres.makeDatabase()) { fixture in
            func prompt(_ owner: BellwireID) async -> [Int16] {
                await fixture.parts.greetings.prompt(owner: owner.description, sampleRate: 8_000)
            }
            let own = await prompt(fixture.owner)
            let standard = await prompt(.make())
            #expect(own != standard)
            let former = BellwireID.make()
            var set = VoicemailV1.SetGreetingRequest()
            set.owner = former.description
            set.wav = WAVAudio(format: WAVFormat(sampleRate: 8_000), samples: [Int16](repeating: 9, count: 800)).bytes
            _ = try await fixture.client.setGreeting(set)
            var clear = VoicemailV1.ClearGreetingRequest()
            clear.owner = former.description
            _ = try await fixture.client.clearGreeting(clear)
            await postgres.stop()
            #expect(await prompt(fixture.owner) == own)
            #expect(await prompt(former) == standard)
            // Replaced elsewhere: the file is gone.
            for name in Disk.list(fixture.folder + "/store/voicemail/greetings") {
                try Disk.remove("\(fixture.folder)/store/voicemail/greetings/\(name)")
            }
            #expect(await prompt(fixture.owner) == standard)
            try await postgres.start()
        }
        await postgres.stop()
    }

    @Test("What is no short PCM WAV is no greeting")
    func wrongGreetings() throws {
        let long = WAVAudio(format: WAVFormat(sampleRate: 8_000), samples: [Int16](repeating: 1, count: 480_001))
        let empty = WAVAudio(format: WAVFormat(sampleRate: 8_000), samples: [])
        var eightBit = long.bytes
        eightBit[34] = 8
        var compressed = long.bytes
        compressed[20] = 7
        let fast = WAVAudio(format: WAVFormat(sampleRate: 96_000), samples: [Int16](repeating: 1, count: 9_600))
        let many = WAVAudio(
            format: WAVFormat(sampleRate: 8_000, channels: 6), samples: [Int16](repeating: 1, count: 600))
        for wav in [[], Array("RIFF".utf8), long.bytes, empty.bytes, eightBit, compressed, fast.bytes, many.bytes] {
            let error = #expect(throws: RPCError.self) { try Greetings.converted(wav) }
            #expect(error?.code == .invalidArgument)
        }
        #expect(try Greetings.converted(Array(long.bytes.dropLast(2))).samples.count == 960_000)
    }
}
