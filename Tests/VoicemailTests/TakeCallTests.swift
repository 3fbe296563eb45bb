import Domain
import Media
import RPC
import Store
import TestSupport
import Testing
import VoicemailCore
import Wire

@Suite(.serialized)
struct TakeCallTests {
    /// Takes a call, speaks for a while behind the beep and then does what `end` says; the stream's last event, if it came.
    private func leave(
        _ fixture: VoicemailFixture, _ phone: Phone, speaking: Duration = .milliseconds(1_500),
        request: VoicemailV1.TakeCallRequest? = nil, end: (Phone) -> Bool = { _ in false }
    ) async throws -> VoicemailV1.TakeCallEvent.Ended? {
        let stream = fixture.client.takeCall(request ?? fixture.request(phone))
        for try await event in stream {
            switch event.event {
            case .answer(let answer): try phone.connect(answer: answer.sdpAnswer)
            case .recording:
                await phone.speak(speaking)
                // Not to go on is to hang up.
                if !end(phone) { return nil }
            case .ended(let ended): return ended
            case nil: Issue.record("an event without content")
            }
        }
        return nil
    }

    private func onlyVoicemail(_ fixture: VoicemailFixture) async throws -> VoicemailV1.Voicemail {
        try await fixture.eventually { try await !fixture.list().voicemails.isEmpty }
        let voicemails = try await fixture.list().voicemails
        #expect(voicemails.count == 1)
        return try #require(voicemails.first)
    }

    @Test("A caller leaves a message, which holds the tone that was sent", arguments: AudioCodec.allCases)
    func message(codec: AudioCodec) async throws {
        try await VoicemailFixture.run { fixture in
            let phone = try fixture.phones.phone(codec, hertz: 620)
            let request = fixture.request(phone)
            #expect(try await leave(fixture, phone, request: request) == nil)
            let voicemail = try await onlyVoicemail(fixture)
            #expect(voicemail.owner == fixture.owner.description)
            #expect(voicemail.callID == request.callID)
            #expect(voicemail.callRecordID == request.callRecordID)
            #expect(voicemail.remotePhoneNumber == "+447700900123")
            #expect(voicemail.displayName == "Alice")
            #expect(voicemail.version == 1)
            #expect([1, 2].contains(voicemail.durationSeconds))
            let bytes = try await fixture.audio(voicemail.id)
            #expect(bytes.count == Int(voicemail.sizeBytes))
            let audio = try WAVAudio(parsing: bytes)
            #expect(audio.format.sampleRate == codec.sampleRate)
            #expect(bytes == audio.bytes)
            #expect(abs(audio.duration / .milliseconds(1) - 1_500) <= 100)
            let middle = audio.samples[(audio.samples.count / 4)..<(audio.samples.count * 3 / 4)]
            #expect(Goertzel.share(of: 620, in: middle, sampleRate: codec.sampleRate) > 0.8)
            let events = try await fixture.events()
            #expect(events.count == 1)
            #expect(events.first?.voicemail == voicemail)
            try await fixture.eventually { fixture.gauge("recordings_active") == 0 }
            #expect(fixture.gauge("rtp_sockets_open") == 0)
            #expect(Disk.list(fixture.folder + "/live").isEmpty)
        }
    }

    @Test("# ends the message, and is not heard in it")
    func pound() async throws {
        try await VoicemailFixture.run { fixture in
            let phone = try fixture.phones.phone()
            let ended = try await leave(fixture, phone) {
                $0.press(.pound)
                return true
            }
            #expect(ended?.end == .key)
            #expect(ended?.kept == true)
            let audio = try WAVAudio(parsing: try await fixture.audio(try await onlyVoicemail(fixture).id))
            #expect(abs(audio.duration / .milliseconds(1) - 1_500) <= 100)
        }
    }

    @Test("The limit ends it")
    func limit() async throws {
        try await VoicemailFixture.run(limits: RecordingLimits(maximum: .seconds(1))) { fixture in
            let phone = try fixture.phones.phone()
            let ended = try await leave(fixture, phone, speaking: .seconds(2)) { _ in true }
            #expect(ended?.end == .limit)
            #expect(ended?.kept == true)
            #expect(try await onlyVoicemail(fixture).durationSeconds == 1)
        }
    }

    @Test("Hung up in the greeting: nothing is left, in the database or on disk")
    func hungUpInGreeting() async throws {
        try await VoicemailFixture.run { fixture in
            let phone = try fixture.phones.phone()
            for try await event in fixture.client.takeCall(fixture.request(phone)) {
                guard case .answer = event.event else { continue }
                break
            }
            try await fixture.eventually { fixture.gauge("recordings_active") == 0 }
            #expect(try await fixture.list().voicemails.isEmpty)
            #expect(try await fixture.events().isEmpty)
            #expect(fixture.gauge("rtp_sockets_open") == 0)
            #expect(Disk.list(fixture.folder + "/live").isEmpty)
        }
    }

    @Test("A message shorter than the user's minimum is not kept; what goes on with one is", arguments: [false, true])
    func tooShort(continues: Bool) async throws {
        try await VoicemailFixture.run { fixture in
            let phone = try fixture.phones.phone()
            var request = fixture.request(phone)
            request.minimumMessageSeconds = 2
            request.continues = continues
            let ended = try await leave(fixture, phone, request: request) {
                $0.press(.pound)
                return true
            }
            #expect(ended?.end == .key)
            #expect(ended?.kept == continues)
            #expect(try await fixture.list().voicemails.isEmpty == !continues)
            try await fixture.eventually { Disk.list(fixture.folder + "/live").isEmpty }
        }
    }

    @Test("A long display name is cut, what is no id left out, the message kept")
    func longName() async throws {
        try await VoicemailFixture.run { fixture in
            let phone = try fixture.phones.phone()
            var request = fixture.request(phone)
            request.displayName = "Z" + String(repeating: "é", count: 300)
            request.sudoOwner = "no id"
            _ = try await leave(fixture, phone, request: request)
            #expect(try await onlyVoicemail(fixture).displayName == "Z" + String(repeating: "é", count: 127))
        }
    }

    @Test("Offers that cannot be answered are refused, and leave no socket open")
    func refused() async throws {
        try await VoicemailFixture.run { fixture in
            let phone = try fixture.phones.phone()
            func refusal(_ change: (inout VoicemailV1.TakeCallRequest) -> Void) async throws -> StatusCode? {
                var request = fixture.request(phone)
                change(&request)
                do {
                    for try await _ in fixture.client.takeCall(request) {}
                    return nil
                } catch {
                    return error.code
                }
            }
            #expect(try await refusal { $0.sdpOffer = "" } == .invalidArgument)
            #expect(
                try await refusal { $0.sdpOffer = $0.sdpOffer.replacing("PCMU/8000", with: "G722/8000") }
                    == .failedPrecondition)
            #expect(try await refusal { $0.owner = "alice" } == .invalidArgument)
            #expect(fixture.gauge("rtp_sockets_open") == 0)
            #expect(fixture.gauge("recordings_active") == 0)
        }
    }

    @Test("Twenty calls at once with twenty tones: none is mixed up")
    func twenty() async throws {
        try await VoicemailFixture.run { fixture in
            var tones: [String: Double] = [:]
            try await withThrowingTaskGroup(of: (String, Double).self) { group in
                for index in 0..<20 {
                    let hertz = 300 + 110 * Double(index)
                    let phone = try fixture.phones.phone(AudioCodec.allCases[index % 3], hertz: hertz)
                    let request = fixture.request(phone)
                    group.addTask {
                        _ = try await leave(fixture, phone, request: request)
                        return (request.callID, hertz)
                    }
                }
                for try await (call, hertz) in group { tones[call] = hertz }
            }
            try await fixture.eventually { try await fixture.list().voicemails.count == 20 }
            for voicemail in try await fixture.list().voicemails {
                let hertz = try #require(tones[voicemail.callID])
                let audio = try WAVAudio(parsing: try await fixture.audio(voicemail.id))
                let share = Goertzel.share(of: hertz, in: audio.samples[...], sampleRate: audio.format.sampleRate)
                #expect(share > 0.7)
                #expect(abs(audio.duration / .milliseconds(1) - 1_500) <= 100)
            }
            #expect(fixture.gauge("rtp_sockets_open") == 0)
        }
    }

    @Test(
        "PostgreSQL stops while a message is recorded: it goes on, and the voicemail is there once the database is back"
    )
    func databaseDown() async throws {
        let postgres = try await TestPostgres.make()
        let url = try await postgres.makeDatabase()
        try await VoicemailFixture.run(url: url) { fixture in
            let phone = try fixture.phones.phone()
            var isStopped = false
            for try await event in fixture.client.takeCall(fixture.request(phone)) {
                switch event.event {
                case .answer(let answer): try phone.connect(answer: answer.sdpAnswer)
                case .recording:
                    await postgres.stop()
                    isStopped = true
                    await phone.speak(.milliseconds(1_500))
                    phone.press(.pound)
                case .ended(let ended):
                    #expect(ended.kept)
                    #expect(ended.end == .key)
                case nil: break
                }
            }
            #expect(isStopped)
            #expect(Disk.list(fixture.folder + "/live").count == 1)
            try await postgres.start()
            try await fixture.eventually { (try? await fixture.list().voicemails.count) == 1 }
            #expect(try await fixture.events().count == 1)
        }
        await postgres.stop()
    }
}
