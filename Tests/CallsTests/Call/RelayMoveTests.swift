import CallsCore
import Domain
import SIP
import Testing

@Suite("A call whose relay is gone", .timeLimit(.minutes(1)))
struct RelayMoveTests {
    private static func answer(
        _ stage: CallStage, _ call: CallActor, _ status: Int, _ dialog: DialogState, port: Int
    ) async throws {
        let transaction = try #require(stage.calls.transactions.last)
        await call.receive(
            .response(
                ReceivedResponse(
                    transaction: transaction, method: .invite, status: status, dialog: dialog.id, state: dialog,
                    body: .sdp(SampleSDP.offer(port: port)))))
    }

    @Test("offers another relay to both sides, one after the other, and goes on")
    func moved() async throws {
        let (stage, call, dialog) = await CallStage.talking()
        stage.relay.forget()
        stage.relay.set(hasAnother: true)
        await call.relayLost()
        await stage.calls.told.wait(for: .sent("INVITE", in: "desk", reason: nil))
        try await Self.answer(stage, call, 200, dialog, port: 9100)
        await stage.calls.told.wait(for: .sent("INVITE", in: "theirs", reason: nil))
        try await Self.answer(stage, call, 200, stage.leg.dialog, port: 6000)
        #expect(stage.relay.held == [call.id])
        await call.receive(.caller(.hungUp(.bye)))
        await stage.over.pass()
        #expect(stage.storage.written.entries.last == "3 completed callerHungUp ended")
        #expect(stage.isClean)
    }

    @Test(
        "ends with its own reason on both sides when there is no other, or a side does not take it",
        arguments: [false, true])
    func ended(hasAnother: Bool) async throws {
        let (stage, call, dialog) = await CallStage.talking()
        stage.relay.forget()
        stage.relay.set(hasAnother: hasAnother)
        await call.relayLost()
        if hasAnother {
            await stage.calls.told.wait(for: .sent("INVITE", in: "desk", reason: nil))
            try await Self.answer(stage, call, 488, dialog, port: 9100)
        }
        await stage.over.pass()
        let farewell = "SIP;cause=503;text=\"relayFailed\""
        #expect(stage.leg.told.entries.last == .bye(farewell))
        #expect(stage.calls.told.entries.contains(.sent("BYE", in: "desk", reason: farewell)))
        #expect(stage.storage.written.entries.last == "3 completed relayFailed ended")
        #expect(stage.isClean)
    }

    @Test("a description that says something new gets the next version under the name of the one before")
    func versions() {
        let told = "v=0\r\no=- 17 4 IN IP4 192.0.2.1\r\ns=-\r\nc=IN IP4 192.0.2.1\r\nm=audio 7 RTP/AVP 0\r\n"
        let other = told.replacing("o=- 17 4 IN IP4 192.0.2.1", with: "o=- 99 1 IN IP4 192.0.2.9")
        #expect(SessionVersion.follow(nil, with: other) == other)
        #expect(SessionVersion.follow(told, with: other) == told)
        let moved = other.replacing("audio 7", with: "audio 8")
        let expected = told.replacing("audio 7", with: "audio 8").replacing("17 4", with: "17 5")
        #expect(SessionVersion.follow(told, with: moved) == expected)
        #expect(SessionVersion.follow("nonsense", with: moved) == moved)
    }
}
