import Domain
import RPC
import Testing
import Wire

@Suite struct NotificationsHandlerTests {
    @Test("A subscription begins with its mark, then tells the owner's changes in order, and nobody else's")
    func subscribe() async throws {
        try await NotificationsFixture.run { notifications in
            let (alice, bob) = (BellwireID.make().description, BellwireID.make().description)
            let before = try await notifications.publishRecord(owner: alice)
            try await notifications.waitUntilLogged(before)
            var request = NotificationsV1.SubscribeRequest()
            request.owner = alice
            var updates = notifications.second.client.subscribe(request).makeAsyncIterator()
            let mark = try #require(try await updates.next())
            #expect(mark.change == .subscribed(NotificationsV1.Subscribed()))
            #expect(ResumeToken(mark.token) != nil)
            var published: [String] = []
            for owner in [alice, bob, alice, bob, alice] {
                let id = try await notifications.publishRecord(owner: owner)
                if owner == alice { published.append(id) }
            }
            for id in published { #expect(try await updates.next()?.recordID == id) }
        }
    }

    @Test("A subscriber that comes back, to any instance, goes on behind its token and misses nothing")
    func resume() async throws {
        try await NotificationsFixture.run { notifications in
            let owner = BellwireID.make().description
            var request = NotificationsV1.SubscribeRequest()
            var ids: [String] = []
            var token = ""
            do {
                var updates = notifications.first.client.subscribe(request).makeAsyncIterator()
                _ = try await updates.next()
                for _ in 0..<3 { ids.append(try await notifications.publishRecord(owner: owner)) }
                let update = try #require(try await updates.next())
                #expect(update.recordID == ids[0])
                token = update.token
            }
            for _ in 0..<3 { ids.append(try await notifications.publishRecord(owner: owner)) }
            request.after = token
            var updates = notifications.second.client.subscribe(request).makeAsyncIterator()
            #expect(try await updates.next()?.change == .subscribed(NotificationsV1.Subscribed()))
            for id in ids.dropFirst() { #expect(try await updates.next()?.recordID == id) }
        }
    }

    @Test("A token of another log or of the future is answered with a reset, and changes go on behind it")
    func reset() async throws {
        try await NotificationsFixture.run { notifications in
            let owner = BellwireID.make().description
            var request = NotificationsV1.SubscribeRequest()
            var probe = notifications.first.client.subscribe(request).makeAsyncIterator()
            let mark = try #require(try await probe.next())
            let here = try #require(ResumeToken(mark.token))
            for wrong in [
                ResumeToken(incarnation: .make(), position: 0),
                ResumeToken(incarnation: here.incarnation, position: here.position + 1_000_000),
            ] {
                request.after = wrong.description
                var updates = notifications.first.client.subscribe(request).makeAsyncIterator()
                var reasons: [String] = []
                while reasons.isEmpty {
                    guard let update = try await updates.next() else { break }
                    if case .reset(let reset) = update.change { reasons.append(reset.reason) }
                }
                #expect(reasons == ["unknown"])
                let id = try await notifications.publishRecord(owner: owner)
                var heard: String?
                while heard == nil {
                    guard let update = try await updates.next() else { break }
                    heard = update.recordID
                }
                #expect(heard == id)
            }
        }
    }

    @Test("A wrong token is refused")
    func wrongToken() async throws {
        try await NotificationsFixture.run { notifications in
            var request = NotificationsV1.SubscribeRequest()
            request.after = "yesterday"
            var updates = notifications.first.client.subscribe(request).makeAsyncIterator()
            await #expect(throws: RPCError(.invalidArgument, "after: not a resume token")) {
                try await updates.next()
            }
            var tail = NotificationsV1.TailEventsRequest()
            tail.after = "yesterday"
            var events = notifications.first.client.tailEvents(tail).makeAsyncIterator()
            await #expect(throws: RPCError(.invalidArgument, "after: not a resume token")) {
                try await events.next()
            }
        }
    }

    @Test("A reader that lags far behind still gets every change, in order")
    func slowReader() async throws {
        try await NotificationsFixture.run { notifications in
            let owner = BellwireID.make().description
            let request = NotificationsV1.SubscribeRequest()
            var updates = notifications.first.client.subscribe(request).makeAsyncIterator()
            _ = try await updates.next()
            // Far more than the stream's window holds.
            for version in 1...600 {
                try await notifications.publishRecord(owner: owner, version: Int64(version), padding: 2000)
            }
            for version in 1...600 {
                guard case .record(let event) = try await updates.next()?.change else {
                    Issue.record("no record")
                    return
                }
                guard event.record?.version == UInt64(version) else {
                    Issue.record("version \(event.record?.version ?? 0) in place of \(version)")
                    return
                }
            }
        }
    }

    @Test("The operator reads the log from its start, densely, and goes on live")
    func tail() async throws {
        try await NotificationsFixture.run { notifications in
            let owner = BellwireID.make().description
            var ids: [String] = []
            for _ in 0..<5 { ids.append(try await notifications.publishRecord(owner: owner)) }
            var request = NotificationsV1.TailEventsRequest()
            request.after = "start"
            var events = notifications.second.client.tailEvents(request).makeAsyncIterator()
            let mark = try #require(try await events.next())
            #expect(mark.topic.isEmpty)
            var positions: [UInt64] = []
            for id in ids {
                let event = try #require(try await events.next())
                #expect(event.key == id)
                #expect(event.type == RecordsV1.CallRecordEvent.messageName)
                positions.append(event.position)
            }
            #expect(positions == [1, 2, 3, 4, 5])
            let late = try await notifications.publishRecord(owner: owner)
            #expect(try await events.next()?.key == late)
        }
    }

    @Test("A user has the devices that are stored and the SIP contacts that the directory has, newest first")
    func devices() async throws {
        try await NotificationsFixture.run { notifications in
            let (alice, bob) = (BellwireID.make().description, BellwireID.make().description)
            let old = try await notifications.addDevice(user: alice, kind: "push", created: "2026-01-01 00:00:00+00")
            let new = try await notifications.addDevice(user: alice, kind: "session", created: "2026-01-02 00:00:00+00")
            var request = NotificationsV1.ListDevicesRequest()
            request.userID = alice
            let devices = try await notifications.first.client.listDevices(request).devices
            #expect(devices.map(\.id) == [new, DirectoryStub.contact, old])
            #expect(devices.map(\.kind) == [.session, .sipContact, .push])
            #expect(devices.map(\.address) == ["", "sip:alice@192.0.2.7:5060", ""])
            request.userID = bob
            #expect(try await notifications.first.client.listDevices(request).devices.map(\.kind) == [.sipContact])
            request.userID = "bob"
            await #expect(throws: RPCError.self) { try await notifications.first.client.listDevices(request) }
        }
    }
}
