import CallsCore
import Domain
import SIP
import Testing

@Suite("The session timers of a call", .timeLimit(.minutes(1)))
struct SessionTimerActorTests {
    /// The phone's session is one of ninety seconds that we refresh.
    private static func talking(allowsUpdate: Bool = false) async -> (CallStage, CallActor, DialogState) {
        await CallStage.talking(
            allowsUpdate: allowsUpdate, session: SessionAgreement(interval: 90, isRefreshedByUs: true))
    }

    private static func answer(
        _ stage: CallStage, _ call: CallActor, _ method: SIPMethod, _ status: Int, _ dialog: DialogState,
        body: SIPBody? = nil
    ) async throws {
        let transaction = try #require(stage.calls.transactions.last)
        await call.receive(
            .response(
                ReceivedResponse(
                    transaction: transaction, method: method, status: status, isFromPeer: true, dialog: dialog.id,
                    state: dialog, body: body)))
    }

    private static func pass(_ stage: CallStage, _ call: CallActor, seconds: Int) async {
        stage.clock.advance(by: .seconds(seconds))
        await call.timersDue()
    }

    @Test("are refreshed at half of their time, again and again, with the description of before")
    func refreshed() async throws {
        let (stage, call, dialog) = await Self.talking()
        for count in 1...3 {
            await Self.pass(stage, call, seconds: 44)
            #expect(stage.calls.told.entries.count { $0 == .sent("INVITE", in: "desk", reason: nil) } == count - 1)
            await Self.pass(stage, call, seconds: 2)
            await stage.calls.told.wait { $0.count { $0 == .sent("INVITE", in: "desk", reason: nil) } == count }
            try await Self.answer(stage, call, .invite, 200, dialog, body: .sdp(SampleSDP.offer(port: 9000)))
        }
        await call.receive(.caller(.hungUp(.bye)))
        await stage.over.pass()
        #expect(stage.isClean)
    }

    @Test("use UPDATE where it is allowed, and re-INVITE once it is refused all the same")
    func update() async throws {
        let (stage, call, dialog) = await Self.talking(allowsUpdate: true)
        await Self.pass(stage, call, seconds: 46)
        await stage.calls.told.wait(for: .sent("UPDATE", in: "desk", reason: nil))
        try await Self.answer(stage, call, .update, 501, dialog)
        await Self.pass(stage, call, seconds: 1)
        await stage.calls.told.wait(for: .sent("INVITE", in: "desk", reason: nil))
        await call.receive(.caller(.hungUp(.bye)))
        await stage.over.pass()
        #expect(stage.isClean)
    }

    @Test("end the call on both sides when the refreshes fail until the session is over")
    func expired() async throws {
        let (stage, call, dialog) = await Self.talking()
        await Self.pass(stage, call, seconds: 46)
        await stage.calls.told.wait(for: .sent("INVITE", in: "desk", reason: nil))
        try await Self.answer(stage, call, .invite, 500, dialog)
        await Self.pass(stage, call, seconds: 15)
        await stage.over.pass()
        let farewell = "SIP;cause=503;text=\"sessionExpired\""
        #expect(stage.leg.told.entries.last == .bye(farewell))
        #expect(stage.calls.told.entries.contains(.sent("BYE", in: "desk", reason: farewell)))
        #expect(stage.storage.written.entries.last == "3 completed sessionExpired ended")
        #expect(stage.isClean)
    }

    @Test("end the call when a refresh meets a side that does not know the call any more", arguments: [481, 408])
    func lost(status: Int) async throws {
        let (stage, call, dialog) = await Self.talking()
        await Self.pass(stage, call, seconds: 46)
        await stage.calls.told.wait(for: .sent("INVITE", in: "desk", reason: nil))
        try await Self.answer(stage, call, .invite, status, dialog)
        await stage.over.pass()
        #expect(stage.storage.written.entries.last == "3 completed signallingLost ended")
        #expect(stage.isClean)
    }
}
