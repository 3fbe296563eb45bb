import Glibc
import Media
import RPC
import Testing
import VoicemailCore
import Wire

@Suite(.serialized)
struct FullDiskTests {
    /// A file system of 64 KB, for which one has to be root.
    private static func mountSmall(_ path: String) -> Bool {
        mount("none", path, "tmpfs", 0, "size=64k") == 0
    }

    private static let canMount: Bool = {
        let path = "/tmp/bellwire-full-\(getpid())"
        mkdir(path, 0o700)
        defer { rmdir(path) }
        guard mountSmall(path) else { return false }
        umount(path)
        return true
    }()

    @Test(
        "The disk is full in the middle of a message: the owner is told, and what was written is kept",
        .enabled(if: canMount))
    func full() async throws {
        try await VoicemailFixture.run { fixture in
            // The store has its greeting elsewhere; live recordings and messages go to the small file system.
            for name in ["live", "store/voicemail/messages"] { try Disk.makeFolder("\(fixture.folder)/\(name)") }
            try #require(Self.mountSmall(fixture.folder + "/live"))
            defer { umount2(fixture.folder + "/live", Int32(MNT_DETACH)) }
            let phone = try fixture.phones.phone()
            var last: VoicemailV1.TakeCallEvent.Ended?
            for try await event in fixture.client.takeCall(fixture.request(phone)) {
                switch event.event {
                case .answer(let answer): try phone.connect(answer: answer.sdpAnswer)
                case .ended(let ended): last = ended
                default: break
                }
            }
            #expect(last?.end == .failure)
            #expect(last?.kept == true)
            let voicemail = try #require(try await fixture.list().voicemails.first)
            let bytes = try await fixture.audio(voicemail.id)
            let audio = try WAVAudio(parsing: bytes)
            #expect(audio.bytes == bytes)
            #expect(audio.duration > .seconds(1))
        }
    }
    @Test("The store cannot be written when a message ends: the owner is told all the same, and it is stored later")
    func storeUnwritable() async throws {
        try await VoicemailFixture.run { fixture in
            let messages = fixture.folder + "/store/voicemail/messages"
            // A file where a folder is to be.
            try Disk.write([1], to: messages)
            let phone = try fixture.phones.phone()
            var last: VoicemailV1.TakeCallEvent.Ended?
            for try await event in fixture.client.takeCall(fixture.request(phone)) {
                switch event.event {
                case .answer(let answer): try phone.connect(answer: answer.sdpAnswer)
                case .recording:
                    await phone.speak(.milliseconds(1_500))
                    phone.press(.pound)
                case .ended(let ended): last = ended
                case nil: break
                }
            }
            #expect(last?.kept == true)
            #expect(try await fixture.list().voicemails.isEmpty)
            #expect(fixture.gauge("rtp_sockets_open") == 0)
            #expect(fixture.gauge("recording_failures_total") == 1)
            try Disk.remove(messages)
            try await fixture.eventually { try await fixture.list().voicemails.count == 1 }
            #expect(try await fixture.events().count == 1)
            try await fixture.eventually { fixture.gauge("recordings_active") == 0 }
        }
    }

    @Test("No message can be begun: the call is not taken, which is counted, and leaves nothing open")
    func liveFolderUnwritable() async throws {
        try await VoicemailFixture.run { fixture in
            try Disk.write([1], to: fixture.folder + "/live")
            let phone = try fixture.phones.phone()
            await #expect(throws: RPCError.self) {
                for try await _ in fixture.client.takeCall(fixture.request(phone)) {}
            }
            #expect(fixture.gauge("recording_failures_total") == 1)
            #expect(fixture.gauge("rtp_sockets_open") == 0)
            #expect(fixture.gauge("recordings_active") == 0)
        }
    }
}
