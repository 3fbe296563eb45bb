import CallsCore
import Domain
import Observability
import SIP
import Testing
import Wire

@Suite("A call between the caller and phones", .timeLimit(.minutes(1)))
struct CallLegActorTests {
    private static let desk = "sip:alice@192.0.2.7:5060"
    private static let mobile = "sip:alice@192.0.2.8:5060"

    /// A call to two phones whose INVITEs are out.
    private static func calling(_ script: Neighbours.Script? = nil) async -> (CallStage, CallActor) {
        let stage = CallStage(script ?? .init(ringTimeSeconds: 3600, contacts: [desk, mobile]))
        let call = stage.call()
        await call.start()
        await stage.calls.told.wait { !$0.isEmpty }
        return (stage, call)
    }

    private static func dialog(_ state: InviteState, tag: String) -> DialogState {
        DialogState(
            id: DialogID(callID: state.id.callID, localTag: state.id.localTag, remoteTag: tag), local: state.local,
            remote: state.remote, localCSeq: 1, remoteTarget: state.target, localTarget: state.localTarget,
            transport: .udp, isOpenedByUs: true)
    }

    private static func answer(_ stage: CallStage, _ index: Int, tag: String, port: Int = 9000) -> CallSignal {
        let state = stage.calls.prepared.entries[index]
        return .callee(
            .answered(
                InviteResponse(
                    invite: state.id, status: 200, remoteTag: tag, dialog: dialog(state, tag: tag),
                    body: .sdp(SampleSDP.offer(port: port)), awaitsAcknowledgement: true)))
    }

    private static func status(_ stage: CallStage, _ index: Int, _ status: Int) -> CallSignal {
        .callee(.answered(InviteResponse(invite: stage.calls.prepared.entries[index].id, status: status)))
    }

    @Test("rings both, joins the first that answers, and stores all of it before it says so")
    func answered() async throws {
        let (stage, call) = await Self.calling()
        #expect(stage.calls.told.entries == [.invited(Self.desk), .invited(Self.mobile)])
        #expect(stage.storage.written.entries == ["1 authorized", "kept"])
        let invite = try #require(stage.calls.prepared.entries.first)
        #expect(invite.body == .sdp("offered " + SampleSDP.offer()))
        #expect(invite.headers.contains(SIPHeader("Max-Forwards", "69")))
        #expect(invite.local.uri.user == CallStage.number)
        #expect(invite.acknowledgesManually)

        await call.receive(Self.status(stage, 0, 180))
        await call.receive(Self.status(stage, 1, 180))
        await call.receive(Self.answer(stage, 1, tag: "mobile"))
        await stage.calls.told.wait(for: .acknowledged("mobile"))
        #expect(
            stage.calls.told.entries.dropFirst(2) == [
                .cancelled(Self.desk, reason: "SIP;cause=200;text=\"Call completed elsewhere\""),
                .acknowledged("mobile"),
            ])
        await stage.leg.told.wait { $0.count == 2 }
        #expect(stage.leg.told.entries == [.ringing, .answered("answered " + SampleSDP.offer(port: 9000))])
        #expect(stage.storage.written.entries == ["1 authorized", "kept", "2 ringing", "3 answered"])
        await call.receive(.caller(.acknowledged(nil)))
        await call.receive(.caller(.hungUp(.bye)))
        await stage.over.pass()
        #expect(
            stage.calls.told.entries.last
                == .sent("BYE", in: "mobile", reason: "Q.850;cause=16;text=\"Normal call clearing\""))
        #expect(stage.storage.written.entries.last == "4 completed callerHungUp ended")
        #expect(stage.isClean)
    }

    @Test("hears the phone hang up")
    func calleeHungUp() async {
        let (stage, call) = await Self.calling()
        await call.receive(Self.answer(stage, 0, tag: "desk"))
        await stage.leg.told.wait { $0.count == 1 }
        await call.receive(.caller(.acknowledged(nil)))
        let dialog = Self.dialog(stage.calls.prepared.entries[0], tag: "desk").id
        await call.receive(.callee(.hungUp(DialogID(callID: "another", localTag: "a", remoteTag: "b"), .bye)))
        await call.receive(.callee(.hungUp(dialog, .bye)))
        await stage.over.pass()
        #expect(stage.leg.told.entries.last == .bye("Q.850;cause=16;text=\"Normal call clearing\""))
        #expect(stage.storage.written.entries.last == "3 completed calleeHungUp ended")
        #expect(stage.isClean)
    }

    @Test("goes to voicemail once both phones have refused")
    func refused() async {
        let (stage, call) = await Self.calling()
        await call.receive(Self.status(stage, 0, 486))
        await call.receive(Self.status(stage, 1, 603))
        await stage.leg.told.wait { $0.contains { if case .answered = $0 { true } else { false } } }
        #expect(stage.neighbours.requests.entries.first?.sdpOffer == "offered " + SampleSDP.offer())
        #expect(stage.storage.written.entries.contains("2 unanswered declined"))
        #expect(stage.counters.counter("legs_ended_total", ["termination": "busy"]).value == 1)
        await call.receive(.caller(.acknowledged(nil)))
        await call.receive(.caller(.hungUp(.bye)))
        await stage.over.pass()
        #expect(stage.isClean)
    }

    @Test("stops both phones when the caller gives up")
    func cancelled() async {
        let (stage, call) = await Self.calling()
        await call.receive(Self.status(stage, 0, 180))
        await call.receive(.caller(.cancelled))
        await stage.over.pass()
        #expect(
            stage.calls.told.entries.suffix(2) == [
                .cancelled(Self.desk, reason: nil), .cancelled(Self.mobile, reason: nil),
            ])
        #expect(stage.storage.written.entries.last == "3 unanswered callerCancelled ended")
        #expect(stage.isClean)
    }

    @Test("goes out through trunks with the number of the caller, one after the other, and lets early media through")
    func trunks() async throws {
        let script = Neighbours.Script(ringTimeSeconds: 0, trunks: ["192.0.2.50", "192.0.2.51"])
        let (stage, call) = await Self.calling(script)
        let first = "sip:+12025550100@192.0.2.50:5060"
        #expect(stage.calls.told.entries == [.invited("\(first) as user")])
        let invite = try #require(stage.calls.prepared.entries.first)
        #expect(invite.local.uri.user == "+12025550111")
        #expect(invite.headers.contains { $0.name == "P-Asserted-Identity" && $0.value.contains("+12025550111") })
        await call.receive(Self.status(stage, 0, 503))
        await stage.calls.told.wait { $0.count == 2 }
        let state = stage.calls.prepared.entries[1]
        await call.receive(
            .callee(
                .answered(
                    InviteResponse(
                        invite: state.id, status: 183, remoteTag: "far", dialog: Self.dialog(state, tag: "far"),
                        body: .sdp(SampleSDP.offer(port: 9000))))))
        await stage.leg.told.wait(for: .progress("answered " + SampleSDP.offer(port: 9000)))
        await call.receive(Self.answer(stage, 1, tag: "far"))
        await stage.leg.told.wait { $0.count == 2 }
        #expect(stage.leg.told.entries.last == .answered("answered " + SampleSDP.offer(port: 9000)))
        let snapshot = await call.snapshot
        #expect(snapshot?.caller?.local == true && snapshot?.callee?.local == false)
        #expect(snapshot?.caller?.number == "+12025550111")
        await call.receive(.caller(.acknowledged(nil)))
        await call.shutDown()
        await stage.over.pass()
        #expect(stage.isClean)
    }

    /// Two sides that talk.
    private static func talking() async -> (CallStage, CallActor) {
        let (stage, call) = await calling()
        await call.receive(answer(stage, 0, tag: "desk"))
        await stage.leg.told.wait { $0.count == 1 }
        await call.receive(.caller(.acknowledged(nil)))
        return (stage, call)
    }

    @Test("is ended on both sides when neither sends a packet for thirty seconds")
    func silence() async {
        let (stage, call) = await Self.talking()
        await call.relayCounted(10)
        await call.relayCounted(10)
        stage.clock.advance(by: .seconds(29))
        await call.relayCounted(10)
        await call.relayCounted(11)
        await call.relayCounted(11)
        stage.clock.advance(by: .seconds(29))
        await call.relayCounted(11)
        #expect(stage.leg.told.entries.count == 1)
        stage.clock.advance(by: .seconds(1))
        await call.relayCounted(11)
        await stage.over.pass()
        #expect(stage.leg.told.entries.last == .bye("SIP;cause=503;text=\"mediaTimeout\""))
        #expect(stage.storage.written.entries.last == "3 completed mediaTimeout ended")
        #expect(stage.isClean)
    }

    @Test("tells a caller through a trunk what the far side said")
    func trunkRefused() async {
        let (stage, call) = await Self.calling(.init(ringTimeSeconds: 0, trunks: ["192.0.2.50"]))
        await call.receive(Self.status(stage, 0, 404))
        await stage.over.pass()
        #expect(stage.leg.told.entries == [.rejected(404, [])])
        #expect(stage.storage.written.entries.last == "2 unanswered numberUnknown ended")
        #expect(stage.neighbours.voicemail.entries.isEmpty)
        #expect(stage.isClean)
    }
}
