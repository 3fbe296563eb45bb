import Domain
import Media
import Store
import Testing
import VoicemailCore
import Wire

@Suite(.serialized)
struct RecoveryTests {
    /// A recording as a process that dies leaves it: description and audio, its header not filled in.
    private func leaveBehind(
        _ fixture: VoicemailFixture, milliseconds: Int, recordID: BellwireID? = nil, minimumSeconds: UInt32 = 1
    ) throws -> String {
        var request = VoicemailV1.TakeCallRequest()
        request.callID = BellwireID.make().description
        request.accountID = BellwireID.make().description
        request.owner = fixture.owner.description
        request.callRecordID = recordID?.description ?? ""
        request.localPhoneNumber = "+12025550100"
        request.minimumMessageSeconds = minimumSeconds
        let id = BellwireID.make(slot: 5)
        let recording = try #require(
            LiveRecording(
                request, id: id, epoch: 1, instance: "voicemail-1", created: Int64(id.milliseconds) * 1_000,
                sampleRate: 8_000))
        let folder = try LiveFolder(beginning: recording, root: fixture.folder + "/live")
        let ring = SampleRing(capacity: 200_000)
        let tone = Tone.sine(hertz: 500, duration: .milliseconds(milliseconds), sampleRate: 8_000)
        #expect(ring.write(silence: 0, samples: tone))
        try folder.append(from: ring)
        return recording.id
    }

    @Test("What was said up to the crash is there once, playable, with one event")
    func recovered() async throws {
        try await VoicemailFixture.run { fixture in
            let id = try leaveBehind(fixture, milliseconds: 2_400)
            #expect(await fixture.parts.recovery.recover() == 1)
            let voicemail = try #require(try await fixture.list().voicemails.first)
            #expect(voicemail.id == id)
            #expect(voicemail.durationSeconds == 2)
            let bytes = try await fixture.audio(id)
            #expect(try WAVAudio(parsing: bytes).bytes == bytes)
            #expect(try WAVAudio(parsing: bytes).duration == .milliseconds(2_400))
            #expect(await fixture.parts.recovery.recover() == 0)
            #expect(try await fixture.events().count == 1)
            #expect(Disk.list(fixture.folder + "/live").isEmpty)
        }
    }

    @Test(
        "A process that died behind the commit leaves nothing to do but to tidy up, also when the message is deleted since"
    )
    func afterCommit() async throws {
        try await VoicemailFixture.run { fixture in
            let id = try leaveBehind(fixture, milliseconds: 1_500)
            let live = "\(fixture.folder)/live/\(id)"
            let names = Disk.list(live)
            let files = try names.map { try Disk.read("\(live)/\($0)") }
            await fixture.parts.recovery.recover()
            var request = VoicemailV1.DeleteVoicemailRequest()
            request.id = id
            _ = try await fixture.client.deleteVoicemail(request)
            try Disk.makeFolder(live)
            for (name, bytes) in zip(names, files) { try Disk.write(bytes, to: "\(live)/\(name)") }
            await fixture.parts.recovery.recover()
            #expect(try await fixture.list().voicemails.isEmpty)
            #expect(try await fixture.events().map(\.deleted) == [false, true])
            #expect(Disk.list(fixture.folder + "/live").isEmpty)
        }
    }

    @Test(
        "The minimum is not that of a part that a crash cut off; without any sound nothing is kept",
        arguments: [0, 400])
    func shortPart(milliseconds: Int) async throws {
        try await VoicemailFixture.run { fixture in
            _ = try leaveBehind(fixture, milliseconds: milliseconds)
            await fixture.parts.recovery.recover()
            #expect(try await fixture.list().voicemails.isEmpty == (milliseconds == 0))
            #expect(Disk.list(fixture.folder + "/live").isEmpty)
        }
    }

    @Test("A recording that lives is not touched")
    func alive() async throws {
        try await VoicemailFixture.run { fixture in
            let id = try leaveBehind(fixture, milliseconds: 2_000)
            let holder = try DiskFile("\(fixture.folder)/live/\(id)/audio.wav", .update)
            #expect(holder.tryLock())
            #expect(await fixture.parts.recovery.recover() == 0)
            #expect(Disk.list(fixture.folder + "/live") == [id])
            withExtendedLifetime(holder) {}
        }
    }

    @Test("A later owner of the slot has finished it: nothing is written")
    func staleEpoch() async throws {
        try await VoicemailFixture.run { fixture in
            let id = try leaveBehind(fixture, milliseconds: 2_000)
            try await fixture.database.execute(
                """
                INSERT INTO voicemail.recording (id, slot, epoch, instance, owner, call_id, started)
                VALUES (\(id), 5, 9, 'voicemail-2', \(fixture.owner), \(BellwireID.make()), now())
                """)
            await fixture.parts.recovery.recover()
            #expect(try await fixture.list().voicemails.isEmpty)
            #expect(try await fixture.events().isEmpty)
        }
    }

    @Test("PostgreSQL keeps no NUL: it is left out of what callers send")
    func withoutNUL() throws {
        var request = VoicemailV1.TakeCallRequest()
        request.callID = BellwireID.make().description
        request.accountID = BellwireID.make().description
        request.owner = BellwireID.make().description
        request.displayName = "A\0lice"
        let recording = LiveRecording(
            request, id: .make(), epoch: 1, instance: "voicemail-1", created: 0, sampleRate: 8_000)
        #expect(recording?.displayName == "Alice")
    }

    @Test("Files that are no recording are left alone")
    func foreign() async throws {
        try await VoicemailFixture.run { fixture in
            try Disk.makeFolder(fixture.folder + "/live/empty")
            try Disk.makeFolder(fixture.folder + "/live/broken")
            try Disk.write([1, 2, 3], to: fixture.folder + "/live/broken/audio.wav")
            #expect(await fixture.parts.recovery.recover() == 0)
        }
    }
}

extension SampleRing {
    func write(silence: Int, samples: [Int16]) -> Bool {
        stride(from: 0, to: max(1, samples.count), by: 8_000).allSatisfy { start in
            let part = Array(samples[start..<min(samples.count, start + 8_000)])
            return write(silence: start == 0 ? silence : 0, samples: part.span)
        }
    }
}
