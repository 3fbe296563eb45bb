import SIP
import Testing

@Suite("Session timers", .serialized)
struct SessionTimerTests {
    private static let policy = SessionTimerPolicy(interval: 1800, minimum: 90)

    @Test("an INVITE's is agreed on by its 200, also in the process that takes it over; one too short is 422")
    func negotiated() async throws {
        try await Harness.run(timers: .shortest, sessionTimers: Self.policy) { harness in
            let peer = RawPeer(udp: harness.endpoint.port)
            let call = Call(peer: peer, endpoint: harness.endpoint.port)
            peer.send(call.invite(headers: ["Supported: timer", "Session-Expires: 60"]))
            #expect(await peer.receive("SIP/2.0 422")?.header("Min-SE") == "90")
            let next = Call(peer: peer, endpoint: harness.endpoint.port)
            peer.send(next.invite(headers: ["Supported: timer", "Session-Expires: 600;refresher=uas"]))
            let invite = try #require(await harness.events.nextInvite())
            #expect(invite.dialog.session == SessionAgreement(interval: 600, isRefreshedByUs: true))
            try await Harness.run(timers: .shortest, sessionTimers: Self.policy) { heir in
                var dialog = invite.dialog
                dialog.remoteTarget.port = peer.port
                let transaction = heir.endpoint.resume(storedInvite: invite.rawMessage, of: dialog)
                heir.endpoint.respond(to: transaction, SIPResponse(200, body: .sdp("v=0\r\n")))
                while case .some(let event) = await heir.events.next() {
                    if case .failed = event { break }
                }
                heir.endpoint.forget(dialog.id)
            }
            harness.endpoint.respond(to: invite.transaction, SIPResponse(200, body: .sdp("v=0\r\n")))
            for _ in 1...2 {
                #expect(await peer.receive("SIP/2.0 200")?.header("Session-Expires") == "600;refresher=uas")
            }
            harness.endpoint.forget(invite.dialog.id)
        }
    }

    @Test("a refresh keeps interval and refresher, and is sent again with the Min-SE that a 422 demands")
    func raised() async throws {
        try await Harness.run(sessionTimers: Self.policy) { harness in
            let peer = RawPeer(udp: harness.endpoint.port)
            let dialog = DialogState(
                id: DialogID(callID: "call", localTag: "ours", remoteTag: "theirs"),
                local: SIPAddress(uri: SIPURI(user: "a", host: "127.0.0.1"), tag: "ours"),
                remote: SIPAddress(uri: SIPURI(user: "b", host: "127.0.0.1"), tag: "theirs"),
                remoteTarget: SIPURI(user: "b", host: "127.0.0.1", port: peer.port),
                localTarget: SIPURI(host: "127.0.0.1", port: harness.endpoint.port), transport: .udp,
                allowsUpdate: true, session: SessionAgreement(interval: 120, isRefreshedByUs: false))
            harness.endpoint.adopt(dialog)
            harness.endpoint.send(OutgoingRequest(.update), in: dialog.id)
            let first = try #require(await peer.receive("UPDATE "))
            #expect(first.header("Session-Expires") == "120;refresher=uas" && first.header("Min-SE") == "90")
            peer.send(Call.response("422 Session Interval Too Small", to: first, headers: ["Min-SE: 300"]))
            let second = try #require(await peer.receive("UPDATE "))
            #expect(second.header("Session-Expires") == "300;refresher=uas" && second.header("Min-SE") == "300")
            peer.send(Call.response("200 OK", to: second, headers: ["Session-Expires: 300;refresher=uac"]))
            guard case .response(let response) = await harness.events.next() else {
                Issue.record("no response")
                return
            }
            #expect(response.status == 200)
            #expect(response.state?.session == SessionAgreement(interval: 300, isRefreshedByUs: true))
            harness.endpoint.forget(dialog.id)
        }
    }

    @Test("a timer that another process kept is refreshed at once where that is due, and gives the other side a while")
    func resumed() {
        var ours = SessionTimer(SessionAgreement(interval: 90, isRefreshedByUs: true), at: .zero)
        #expect(ours.due(at: .seconds(45)) == .refresh)
        ours.resumed(at: .seconds(50))
        #expect(ours.due(at: .seconds(50)) == .refresh)
        #expect(ours.due(at: .seconds(79)) == nil)
        #expect(ours.due(at: .seconds(80)) == .expire)

        var theirs = SessionTimer(SessionAgreement(interval: 90, isRefreshedByUs: false), at: .zero)
        theirs.resumed(at: .seconds(20))
        #expect(theirs.deadline == .seconds(60))
        theirs.resumed(at: .seconds(100))
        #expect(theirs.due(at: .seconds(100)) == .refresh)
        #expect(theirs.due(at: .seconds(130)) == .expire)
    }
}
