import Bus
import Domain
import NotificationsCore
import RPC
import Testing
import Wire
import WireFormat

@Suite struct SubscriptionFilterTests {
    private let log = SampleLog()

    @Test("Without topics, records and voicemails are heard, calls are not")
    func defaultTopics() throws {
        let filter = try SubscriptionFilter(NotificationsV1.SubscribeRequest())
        #expect(filter.topics == [.records, .voicemails])
        #expect(filter.after == nil)
        #expect(try filter.update(for: .event(log.call(caller: log.alice, callee: log.bob))) == nil)
        let update = try #require(try filter.update(for: .event(log.record(owner: log.alice))))
        guard case .record(let event) = update.change else {
            Issue.record("not a record")
            return
        }
        #expect(event.record?.owner == log.alice)
        #expect(update.token == ResumeToken(incarnation: log.incarnation, position: 7).description)
    }

    @Test("An owner hears its own records and voicemails, and the calls it is a party of")
    func owner() throws {
        var request = NotificationsV1.SubscribeRequest()
        request.owner = log.alice.uppercased()
        request.topics = [.calls, .records, .voicemails]
        let filter = try SubscriptionFilter(request)
        #expect(try filter.update(for: .event(log.record(owner: log.alice))) != nil)
        #expect(try filter.update(for: .event(log.record(owner: log.bob))) == nil)
        #expect(try filter.update(for: .event(log.voicemail(owner: log.alice))) != nil)
        #expect(try filter.update(for: .event(log.voicemail(owner: log.bob))) == nil)
        #expect(try filter.update(for: .event(log.call(caller: log.alice, callee: log.bob))) != nil)
        #expect(try filter.update(for: .event(log.call(caller: log.bob, callee: log.alice))) != nil)
        #expect(try filter.update(for: .event(log.call(caller: log.bob, callee: log.bob))) == nil)
    }

    @Test("The beginning and every reset are told, each with a token to go on from")
    func marks() throws {
        let filter = try SubscriptionFilter(NotificationsV1.SubscribeRequest())
        let token = ResumeToken(incarnation: log.incarnation, position: 3)
        let first = try #require(try filter.update(for: .subscribed(token)))
        #expect(first.token == token.description)
        #expect(first.change == .subscribed(NotificationsV1.Subscribed()))
        for (reason, text) in [
            (EventSubscription.ResetReason.tooOld, "expired"), (.unknownIncarnation, "unknown"), (.future, "unknown"),
        ] {
            let update = try #require(try filter.update(for: .reset(token, reason)))
            guard case .reset(let reset) = update.change else {
                Issue.record("not a reset")
                continue
            }
            #expect(reset.reason == text)
            #expect(update.token == token.description)
        }
    }

    @Test("Wrong tokens, topics and owners are refused as such")
    func refusals() throws {
        for token in [
            "x", ".", "1.2", "\(log.incarnation).", "\(log.incarnation).-1", "\(log.incarnation).1.2", "start",
        ] {
            var request = NotificationsV1.SubscribeRequest()
            request.after = token
            #expect(throws: RPCError(.invalidArgument, "after: not a resume token")) { try SubscriptionFilter(request) }
        }
        var request = NotificationsV1.SubscribeRequest()
        request.topics = [.unrecognized(99)]
        #expect(throws: RPCError.self) { try SubscriptionFilter(request) }
        request.topics = []
        request.owner = "alice"
        #expect(throws: RPCError.self) { try SubscriptionFilter(request) }
        request.owner = ""
        request.after = ResumeToken(incarnation: log.incarnation, position: 5).description
        #expect(try SubscriptionFilter(request).after?.position == 5)
    }

    @Test("A payload that is not what the event says is an error, not silence")
    func malformed() throws {
        let filter = try SubscriptionFilter(NotificationsV1.SubscribeRequest())
        let event = log.event("records", owner: log.alice, type: "x", payload: [0xFF])
        #expect(throws: WireError.self) { try filter.update(for: .event(event)) }
    }

    @Test("The operator's view shows events as they lie in the log")
    func tail() throws {
        var request = NotificationsV1.TailEventsRequest()
        request.topics = ["records"]
        let filter = try TailFilter(request)
        let event = log.record(owner: log.alice)
        let shown = filter.event(for: .event(event))
        #expect(shown.position == 7)
        #expect(shown.topic == "records")
        #expect(shown.key == event.key)
        #expect(shown.version == 2)
        #expect(shown.type == RecordsV1.CallRecordEvent.messageName)
        #expect(shown.payload == event.payload)
        #expect(shown.created == Timestamp(seconds: 1_760_000_000, nanos: 500_000_000))
        #expect(shown.reset == nil)
        let token = ResumeToken(incarnation: log.incarnation, position: 3)
        let mark = filter.event(for: .subscribed(token))
        #expect(mark.topic.isEmpty)
        #expect(mark.token == token.description)
        #expect(filter.event(for: .reset(token, .tooOld)).reset?.reason == "expired")
        request.topics = ["record"]
        #expect(throws: RPCError.self) { try TailFilter(request) }
    }
}
