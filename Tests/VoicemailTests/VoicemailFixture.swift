import Bus
import Domain
import Glibc
import Media
import Observability
import RPC
import Runtime
import Store
import Synchronization
import TestSupport
import VoicemailCore
import Wire
import WireFormat

/// The service on a database and a folder of its own, with real sockets: requests through its stubs.
struct VoicemailFixture {
    let database: Database
    let parts: VoicemailParts
    let client: VoicemailV1.VoicemailsClient
    let counters: Counters
    let folder: String
    let phones: PhoneBooth
    let owner = BellwireID.make()

    /// As the service's own role: what it is not granted, fails.
    static func run(
        url: String? = nil, limits: RecordingLimits = RecordingLimits(),
        _ body: (VoicemailFixture) async throws -> Void
    ) async throws {
        var address = url
        if address == nil { address = try await TestPostgres.shared.makeDatabase() }
        let configuration = DatabaseConfiguration(url: address!, role: "bellwire_voicemail", connections: 4)
        let counters = Counters()
        let database = Database(configuration, logger: TestPostgres.quiet)
        try await database.start()
        let folder = "/tmp/bellwire-voicemail-test-\(getpid())-\(BellwireID.make())"
        let parts = try VoicemailParts(
            instance: "voicemail-1", address: "127.0.0.1", ports: 21_000...24_999, mediaDirectory: folder,
            limits: limits, drain: .zero, database: database, ownership: OwnsAll(), logger: TestPostgres.quiet,
            counters: counters)
        for component in parts.components { try await component.start() }
        let phones = try PhoneBooth()
        try await phones.thread.start()
        let channel = InProcessChannel(caller: "operator/test-1", handlers: [parts.handler])
        let fixture = VoicemailFixture(
            database: database, parts: parts, client: VoicemailV1.VoicemailsClient(channel), counters: counters,
            folder: folder, phones: phones)
        let result: Result<Void, any Error>
        do {
            try await fixture.giveShortGreeting()
            result = .success(try await body(fixture))
        } catch {
            result = .failure(error)
        }
        for component in parts.components.reversed() { await component.stop() }
        await phones.thread.stop()
        await database.stop()
        removeTree(folder)
        try result.get()
    }

    /// A tenth of a second, so that tests do not wait for words.
    private func giveShortGreeting() async throws {
        var request = VoicemailV1.SetGreetingRequest()
        request.owner = owner.description
        request.wav =
            WAVAudio(
                format: WAVFormat(sampleRate: 8_000),
                samples: Tone.sine(hertz: 300, duration: .milliseconds(100), sampleRate: 8_000)
            ).bytes
        _ = try await client.setGreeting(request)
    }

    func request(_ phone: Phone, call: BellwireID = .make()) -> VoicemailV1.TakeCallRequest {
        var request = VoicemailV1.TakeCallRequest()
        request.callID = call.description
        request.callRecordID = call.callRecordID(of: .callee).description
        request.accountID = BellwireID.make().description
        request.owner = owner.description
        request.localPhoneNumber = "+12025550100"
        request.remotePhoneNumber = "+447700900123"
        request.displayName = "Alice"
        request.minimumMessageSeconds = 1
        request.sdpOffer = phone.offer
        return request
    }

    /// What was published, oldest first.
    func events() async throws -> [VoicemailV1.VoicemailEvent] {
        try await database.query("SELECT * FROM events.outbox ORDER BY id").map { row in
            let event = try VoicemailV1.VoicemailEvent(wireBytes: try row.bytes("payload"))
            guard try row.string("topic") == "voicemails", try row.string("key") == event.voicemail?.id,
                try row.string("owner") == event.voicemail?.owner,
                try row.int64("version") == event.voicemail.map({ Int64($0.version) })
            else { throw RPCError(.internal, "the outbox row does not fit its payload") }
            return event
        }
    }

    func list(owner: String = "", limit: UInt32 = 0, after: String = "", number: String = "") async throws
        -> VoicemailV1.ListVoicemailsResponse
    {
        var request = VoicemailV1.ListVoicemailsRequest()
        request.owner = owner
        request.limit = limit
        request.after = after
        request.localPhoneNumber = number
        return try await client.listVoicemails(request)
    }

    func audio(_ id: String, offset: UInt64 = 0, length: UInt64 = 0) async throws -> [UInt8] {
        var request = VoicemailV1.DownloadRequest()
        request.id = id
        request.owner = owner.description
        request.offset = offset
        request.length = length
        var bytes: [UInt8] = []
        for try await chunk in client.download(request) { bytes += chunk.data }
        return bytes
    }

    /// The level of a gauge.
    func gauge(_ name: String) -> Int {
        counters.snapshot().first { $0.name == name }?.value ?? 0
    }

    /// Waits until something is so; it is asked whenever the service had a chance to go on.
    func eventually(_ condition: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while !(try await condition()) {
            guard ContinuousClock.now < deadline else { throw RPCError(.deadlineExceeded, "it did not come to pass") }
            _ = try? await database.query("SELECT 1")
            await Task.yield()
        }
    }

    static func removeTree(_ path: String) {
        for name in Disk.list(path) {
            removeTree("\(path)/\(name)")
        }
        if rmdir(path) != 0 { unlink(path) }
    }
}

/// Every slot is ours, in epoch 1.
struct OwnsAll: SlotOwnership {
    func lease(slot: Int) -> SlotLease? { SlotLease(group: "voicemail", slot: slot, epoch: 1) }
    func anyLease() -> SlotLease? { SlotLease(group: "voicemail", slot: 7, epoch: 1) }
}

/// The thread and the ports of a test's phones.
struct PhoneBooth: Sendable {
    let thread: MediaThread
    let ports: RTPPorts

    init() throws {
        thread = try MediaThread()
        ports = RTPPorts(host: "127.0.0.1", range: 31_000...32_499, open: Counters().gauge("phones"))
    }

    func phone(_ codec: AudioCodec = .pcmu, hertz: Double = 440) throws -> Phone {
        let phone = try Phone(codec: codec, hertz: hertz, sockets: try ports.openPair())
        thread.add(phone)
        return phone
    }
}
