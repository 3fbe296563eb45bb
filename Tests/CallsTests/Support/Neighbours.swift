import Domain
import RPC
import Synchronization
import Wire

/// The services next door, as far as a call asks them. Voicemail answers in the test's rhythm.
final class Neighbours: Sendable {
    struct Script {
        var ringTimeSeconds: UInt32 = 0
        var policy = DirectoryV1.RingPolicy.allDevices
        var isDirectoryAway = false
        /// SIP phones of the callee.
        var contacts: [String] = []
        /// The call goes out through these, `host`s with `user` and `password`; the callee is nobody of ours.
        var trunks: [String] = []
        var isVoicemailAway = false
        var voicemailSDP = SampleSDP.offer(port: 7000)
    }

    let script: Mutex<Script>
    /// What voicemail saw: `taken`, `left`, `ended`.
    let voicemail = Recorder<String>()
    let requests = Recorder<VoicemailV1.TakeCallRequest>()
    /// Lets the message end.
    let messageEnd = Gate()
    /// Lets voicemail break down.
    let breakdown = Gate()
    let account = BellwireID.make()
    let user = BellwireID.make()
    let persona = BellwireID.make()
    let assignment = BellwireID.make()

    init(_ script: Script = Script()) {
        self.script = Mutex(script)
    }

    var channel: InProcessChannel {
        InProcessChannel(
            caller: "calls/test",
            handlers: [DirectoryStub(neighbours: self), NotificationsStub(), VoicemailStub(neighbours: self)])
    }

    fileprivate func route(_ request: DirectoryV1.RouteCallRequest) throws -> DirectoryV1.RouteCallResponse {
        let script = script.withLock { $0 }
        if script.isDirectoryAway { throw RPCError(.unavailable, "away") }
        var response = DirectoryV1.RouteCallResponse()
        switch request.dialled {
        case "+15550000": response.result = .unknown
        case "911": response.result = .emergency
        case "", "nonsense": response.result = .invalid
        case _ where !script.trunks.isEmpty:
            response.result = .trunk
            response.phoneNumber = request.dialled
            response.caller = caller
            response.trunks = script.trunks.map(Neighbours.trunk)
        default:
            response.result = .user
            var callee = DirectoryV1.Callee()
            callee.accountID = account.description
            callee.userID = user.description
            callee.identity = "alice"
            callee.personaID = persona.description
            callee.phoneNumberID = assignment.description
            callee.phoneNumber = request.dialled
            callee.ringTimeSeconds = script.ringTimeSeconds
            callee.ringPolicy = script.policy
            callee.minimumMessageSeconds = 1
            callee.region = "US"
            response.callee = callee
            response.contacts = script.contacts.map { uri in
                var contact = DirectoryV1.SIPContact()
                contact.id = BellwireID.make().description
                contact.uri = uri
                return contact
            }
        }
        return response
    }

    private var caller: DirectoryV1.LocalCaller {
        var caller = DirectoryV1.LocalCaller()
        caller.accountID = account.description
        caller.userID = user.description
        caller.identity = "alice"
        caller.personaID = persona.description
        caller.phoneNumberID = assignment.description
        caller.phoneNumber = "+12025550111"
        return caller
    }

    private static func trunk(_ host: String) -> DirectoryV1.TrunkRoute {
        var trunk = DirectoryV1.TrunkRoute()
        trunk.trunkID = BellwireID.make().description
        trunk.host = host
        trunk.port = 5060
        trunk.transport = .udp
        trunk.username = "user"
        trunk.password = "password"
        trunk.callerNumber = "+12025550111"
        return trunk
    }

    fileprivate func take(
        _ request: VoicemailV1.TakeCallRequest, _ writer: ResponseWriter<VoicemailV1.TakeCallEvent>
    ) async throws {
        if script.withLock({ $0.isVoicemailAway }) { throw RPCError(.unavailable, "away") }
        requests.append(request)
        voicemail.append("taken")
        var answer = VoicemailV1.TakeCallEvent.Answer()
        answer.voicemailID = BellwireID.make().description
        answer.sdpAnswer = script.withLock { $0.voicemailSDP }
        try await writer.write(VoicemailV1.TakeCallEvent(event: .answer(answer)))
        try await writer.write(VoicemailV1.TakeCallEvent(event: .recording(.init())))
        try await withTaskCancellationHandler {
            try await withThrowingTaskGroup(of: Bool.self) { group in
                let (left, leaving) = AsyncStream<Void>.makeStream()
                group.addTask {
                    await self.messageEnd.pass(or: left)
                    return true
                }
                group.addTask {
                    await self.breakdown.pass(or: left)
                    throw RPCError(.internal, "broken")
                }
                defer {
                    leaving.finish()
                    group.cancelAll()
                }
                _ = try await group.next()
            }
        } onCancel: {
            voicemail.append("left")
        }
        try Task.checkCancellation()
        var ended = VoicemailV1.TakeCallEvent.Ended()
        ended.end = .key
        ended.kept = true
        voicemail.append("ended")
        try await writer.write(VoicemailV1.TakeCallEvent(event: .ended(ended)))
    }
}

extension Gate {
    /// Returns when the gate opens, when the task is cancelled or when the stream ends.
    func pass(or end: AsyncStream<Void>) async {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let opener = Task {
            await pass()
            continuation.finish()
        }
        let closer = Task {
            for await _ in end {}
            continuation.finish()
        }
        for await _ in stream {}
        opener.cancel()
        closer.cancel()
    }
}

private struct DirectoryStub: RPCHandler {
    let neighbours: Neighbours
    var serviceDescriptor: ServiceDescriptor { DirectoryV1.directoryDescriptor }

    func handle(_ call: ServerCall) async throws {
        guard serviceDescriptor.methods[call.method].name == "RouteCall" else { throw call.unknownMethod }
        try await call.unary { (request: DirectoryV1.RouteCallRequest, _) in try neighbours.route(request) }
    }
}

private struct NotificationsStub: RPCHandler {
    var serviceDescriptor: ServiceDescriptor { NotificationsV1.notificationsDescriptor }

    func handle(_ call: ServerCall) async throws {
        throw RPCError(.unavailable, "away")
    }
}

private struct VoicemailStub: RPCHandler {
    let neighbours: Neighbours
    var serviceDescriptor: ServiceDescriptor { VoicemailV1.voicemailsDescriptor }

    func handle(_ call: ServerCall) async throws {
        guard serviceDescriptor.methods[call.method].name == "TakeCall" else { throw call.unknownMethod }
        try await call.stream {
            (request: VoicemailV1.TakeCallRequest, writer: ResponseWriter<VoicemailV1.TakeCallEvent>, _) in
            try await neighbours.take(request, writer)
        }
    }
}
