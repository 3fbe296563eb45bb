import Domain
import Observability
import RPC
import Synchronization
import Testing

@Suite("Instances that die, drain and move") struct FailureTests {
    @Test("calls in flight to an instance that dies fail at once", .timeLimit(.minutes(1)))
    func crash() async throws {
        let entered = Gate()
        let service = TestService(
            work: { note, _ in
                entered.open()
                await Gate().wait()
                return note
            },
            count: { _, responses, _ in
                try await responses.write(Note("one"))
                await Gate().wait()
            })
        let rig = try Rig()
        let server = try await rig.server("test-1", service)
        rig.resolver.set([rig.endpoint("test-1")])
        let call = Task { try await rig.client.call(TestService.work, deadline: .seconds(600)) }
        var stream = rig.client.open().makeAsyncIterator()
        #expect(try await stream.next()?.text == "one")
        await entered.wait()
        await server.crash()
        await expect(.unavailable) { try await call.value }
        await expect(.unavailable) { try await stream.next() }
        // And the next call hears at once, too, that nobody listens.
        await expect(.unavailable) { try await rig.client.call(TestService.echo, deadline: .seconds(600)) }
        await rig.end()
    }

    @Test("only what is idempotent or surely did not run is tried elsewhere", .timeLimit(.minutes(1)))
    func retry() async throws {
        let rig = try Rig()
        let entered = Gate()
        let count = Tally()
        let stuck = TestService(work: { _, _ in
            entered.open()
            await Gate().wait()
            return Note("never")
        })
        let alive = TestService(work: { _, _ in
            count.add()
            return Note("alive")
        })
        let first = try await rig.server("test-1", stuck)
        rig.resolver.set([rig.endpoint("test-1")])
        let call = Task { try await rig.client.call(TestService.work, deadline: .seconds(600)) }
        await entered.wait()
        let second = try await rig.server("test-2", alive)
        rig.resolver.set([rig.endpoint("test-1"), rig.endpoint("test-2")])
        await first.crash()
        await expect(.unavailable) { try await call.value }
        #expect(count.value == 0)
        // Sent to nobody, so it may go elsewhere although it is not idempotent.
        for _ in 0..<4 {
            let answer = try await rig.client.call(TestService.work, deadline: .seconds(600))
            #expect(answer == "alive")
        }
        await rig.end(second)
    }

    @Test("an idempotent call that was in flight is made again elsewhere", .timeLimit(.minutes(1)))
    func retryInFlight() async throws {
        let rig = try Rig()
        let entered = Gate()
        // Pinned calls are idempotent here: both instances serve them, the owner moves at the refresh.
        let stuck = TestService(pinned: { _, _ in
            entered.open()
            await Gate().wait()
            return Note("never")
        })
        let id = BellwireID.make(slot: 5)
        let first = try await rig.server("test-1", stuck)
        let second = try await rig.server("test-2", TestService(pinned: { _, _ in Note("second") }))
        rig.resolver.set([rig.endpoint("test-1"), rig.endpoint("test-2")])
        rig.resolver.set(owner: rig.endpoint("test-1"), of: 5)
        let call = Task { try await rig.client.call(idempotentPinned, key: id.description, deadline: .seconds(600)) }
        await entered.wait()
        rig.resolver.set(owner: rig.endpoint("test-2"), of: 5)
        await first.crash()
        let answer = try await call.value
        #expect(answer == "second")
        #expect(rig.resolver.refreshes == 1)
        await rig.end(second)
    }

    private let idempotentPinned = MethodDescriptor(
        service: "test.v1.Test", package: "test", name: "Pinned", routing: .pinned, pinnedBy: "id", idempotent: true,
        requestType: "", responseType: "")

    @Test("a pinned call follows its slot right after it has moved", .timeLimit(.minutes(1)))
    func moved() async throws {
        let newOwner = Mutex<Endpoint?>(nil)
        let rig = try Rig(
            resolver: TestResolver(onRefresh: { resolver in
                resolver.set(owner: newOwner.withLock { $0 }, of: 9)
            }))
        let former = try await rig.server("test-1", TestService(pinned: { _, _ in throw RPCError.notOwner }))
        let owner = try await rig.server("test-2", TestService(pinned: { _, _ in Note("owner") }))
        rig.resolver.set([rig.endpoint("test-1"), rig.endpoint("test-2")])
        rig.resolver.set(owner: rig.endpoint("test-1"), of: 9)
        let key = BellwireID.make(slot: 9).description
        // Nobody else knows better: refused after one more try.
        newOwner.withLock { $0 = rig.endpoint("test-1") }
        await expect(.unavailable) { try await rig.client.call(TestService.pinned, key: key) }
        #expect(rig.resolver.refreshes == 1)
        newOwner.withLock { $0 = rig.endpoint("test-2") }
        let answer = try await rig.client.call(TestService.pinned, key: key)
        #expect(answer == "owner")
        #expect(rig.resolver.refreshes == 2)
        let again = try await rig.client.call(TestService.pinned, key: key)
        #expect(again == "owner")
        #expect(rig.resolver.refreshes == 2)
        await expect(.invalidArgument) { try await rig.client.call(TestService.pinned, key: "no id") }
        await expect(.unavailable) {
            try await rig.client.call(TestService.pinned, key: BellwireID.make(slot: 10).description)
        }
        await rig.end(former, owner)
    }

    @Test("no caller waits for a refresh past its deadline") func slowRefresh() async throws {
        let never = Gate()
        let rig = try Rig(resolver: TestResolver(onRefresh: { _ in await never.wait() }))
        await expect(.deadlineExceeded) {
            try await rig.client.call(TestService.echo, deadline: .milliseconds(50))
        }
        never.open()
        await rig.end()
    }

    @Test("draining lets what runs finish and sends new calls elsewhere", .timeLimit(.minutes(1)))
    func draining() async throws {
        let (entered, gate, subscribed) = (Gate(), Gate(), Gate())
        let leaving = TestService(
            work: { note, _ in
                if note.text == "slow" {
                    entered.open()
                    await gate.wait()
                }
                return Note("first")
            },
            count: { _, responses, _ in
                try await responses.write(Note("one"))
                subscribed.open()
                await Gate().wait()
            })
        let rig = try Rig()
        let first = try await rig.server("test-1", leaving)
        rig.resolver.set([rig.endpoint("test-1")])
        let slow = Task { try await rig.client.call(TestService.work, "slow") }
        let subscription = Task { for try await _ in rig.client.open() {} }
        await entered.wait()
        await subscribed.wait()
        let second = try await rig.server("test-2", TestService(work: { _, _ in Note("second") }))
        rig.resolver.set([rig.endpoint("test-1"), rig.endpoint("test-2")])
        async let drained: Void = first.drain()
        // Nothing moves on the subscription: it ends although the drain goes on.
        await expect(.unavailable) { try await subscription.value }
        for _ in 0..<10 {
            let answer = try await rig.client.call(TestService.work)
            #expect(answer == "second")
        }
        gate.open()
        let answer = try await slow.value
        #expect(answer == "first")
        await drained
        await rig.end(first, second)
        #expect(rig.counters.gauge("rpc_in_flight").value == 0)
    }

    @Test("a drain is bounded: what does not finish is ended", .timeLimit(.minutes(1)))
    func boundedDrain() async throws {
        let (entered, cancelled) = (Gate(), Gate())
        let rig = try Rig()
        var options = RPCServerOptions()
        options.drainLimit = .milliseconds(50)
        let server = try await rig.server(
            "test-1",
            TestService(work: { note, _ in
                entered.open()
                try await cancelled.openOnCancel()
                return note
            }), options: options)
        rig.resolver.set([rig.endpoint("test-1")])
        let call = Task { try await rig.client.call(TestService.work, deadline: .seconds(600)) }
        await entered.wait()
        await server.stop()
        await expect(.unavailable) { try await call.value }
        await cancelled.wait()
        await rig.end()
    }

    @Test("a restarted instance and a new one are used without anybody restarting", .timeLimit(.minutes(1)))
    func restart() async throws {
        let rig = try Rig(beat: .milliseconds(500))
        let first = try await rig.server("test-1", TestService(work: { _, _ in Note("one") }))
        rig.resolver.set([rig.endpoint("test-1")])
        #expect(try await rig.client.call(TestService.work) == "one")
        await first.crash()
        let again = try await rig.server("test-1", TestService(work: { _, _ in Note("again") }))
        var answer: String?
        while answer == nil { answer = try? await rig.client.call(TestService.work) }
        #expect(answer == "again")
        let other = try await rig.server("test-2", TestService(work: { _, _ in Note("other") }))
        rig.resolver.set([rig.endpoint("test-1"), rig.endpoint("test-2")])
        while answer != "other" { answer = try await rig.client.call(TestService.work) }
        await rig.end(again, other)
    }

    @Test("calls go to the instance with the fewest outstanding", .timeLimit(.minutes(1)))
    func balance() async throws {
        let gate = Gate()
        let entered = Mutex<[String: Int]>([:])
        let all = Gate()
        @Sendable func service(_ name: String) -> TestService {
            TestService(work: { note, _ in
                let count = entered.withLock { entered in
                    entered[name, default: 0] += 1
                    return entered.values.reduce(0, +)
                }
                if count == 40 { all.open() }
                await gate.wait()
                return note
            })
        }
        let rig = try Rig()
        let first = try await rig.server("test-1", service("first"))
        let second = try await rig.server("test-2", service("second"))
        rig.resolver.set([rig.endpoint("test-1"), rig.endpoint("test-2")])
        // Both are connected before the counting begins.
        for name in ["test-1", "test-2"] { _ = try await rig.client.call(TestService.echo, instance: name) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<40 { group.addTask { _ = try await rig.client.call(TestService.work) } }
            await all.wait()
            #expect(entered.withLock { $0 } == ["first": 20, "second": 20])
            gate.open()
            try await group.waitForAll()
        }
        await rig.end(first, second)
    }
}
