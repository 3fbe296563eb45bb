import RPC
import Synchronization
import Testing

@Suite("A channel over a bad network", .timeLimit(.minutes(5))) struct FaultInjectingChannelTests {
    private let runs = Tally()

    /// Counts how often a method ran. `Work` is made twice at will; `Echo` is idempotent, and both do the same.
    private func channel(
        seed: UInt64 = 7, gate: Gate? = nil, _ faults: (inout FaultInjectingChannel.Faults) -> Void
    ) -> FaultInjectingChannel {
        let service = TestService(
            work: { [runs] note, _ in
                runs.add()
                gate?.open()
                return note
            })
        var chosen = FaultInjectingChannel.Faults()
        faults(&chosen)
        return FaultInjectingChannel(
            InProcessChannel(caller: "calls/calls-1", handlers: [service]), chosen, seed: seed)
    }

    /// `Work`, for once declared idempotent.
    private let idempotent = MethodDescriptor(
        service: "test.v1.Test", package: "test", name: "Work", idempotent: true, defaultDeadline: .seconds(600),
        requestType: "", responseType: "")

    @Test("strikes the same calls with the same seed") func seeded() async {
        func outcomes(_ seed: UInt64) async -> [Bool] {
            let channel = channel(seed: seed) { $0.brokenAnswers = 0.5 }
            var outcomes: [Bool] = []
            for _ in 0..<64 { outcomes.append((try? await channel.call(TestService.work)) != nil) }
            return outcomes
        }
        let first = await outcomes(1)
        #expect(await outcomes(1) == first)
        #expect(await outcomes(2) != first)
        #expect((16...48).contains(first.count { $0 }))
    }

    @Test("a lost request ends at its deadline, and the method did not run") func lostRequest() async {
        let channel = channel { $0.lostRequests = 1 }
        await expect(.deadlineExceeded) {
            try await channel.call(TestService.work, deadline: .milliseconds(20))
        }
        await expect(.deadlineExceeded) {
            for try await _ in channel.open("3", deadline: .milliseconds(20)) {}
        }
        #expect(runs.value == 0)
    }

    @Test("a lost answer ends at its deadline, and the method ran") func lostAnswer() async {
        let ran = Gate()
        let channel = channel(gate: ran) { $0.lostAnswers = 1 }
        // On a busy machine the deadline may pass before the method has begun.
        var deadline = Duration.milliseconds(20)
        var attempts = 0
        while !ran.isOpen {
            attempts += 1
            await expect(.deadlineExceeded) { try await channel.call(TestService.work, deadline: deadline) }
            deadline *= 2
        }
        #expect((1...attempts).contains(runs.value))
    }

    @Test("lateness counts towards the deadline, and is inherited") func late() async {
        let channel = channel { $0.delay = .seconds(600)...(.seconds(600)) }
        await expect(.deadlineExceeded) { try await channel.call(TestService.work, deadline: .milliseconds(20)) }
        await expect(.deadlineExceeded) {
            try await CallContext.$current.withValue(CallContext(deadline: .now + .milliseconds(20))) {
                try await channel.call(TestService.work, deadline: .seconds(600))
            }
        }
        #expect(runs.value == 0)
    }

    @Test("a caller that gives up is let go at once") func cancelled() async {
        let channel = channel { $0.lostRequests = 1 }
        let call = Task { try await channel.call(TestService.work, deadline: .seconds(600)) }
        call.cancel()
        await expect(.cancelled) { try await call.value }
    }

    @Test("a call that broke after it ran is made again where it is idempotent, and only there") func broken() async {
        let channel = channel { $0.brokenAnswers = 1 }
        await expect(.unavailable) { try await channel.call(TestService.work) }
        #expect(runs.value == 1)
        await expect(.unavailable) { try await channel.call(idempotent) }
        #expect(runs.value == 3)
        var half = FaultInjectingChannel.Faults()
        half.brokenAnswers = 0.5
        channel.set(half)
        var answered = 0
        for number in 0..<200 where try! await retried(channel, number) { answered += 1 }
        // A half, and a half of the other half.
        #expect((120...180).contains(answered))
    }

    private func retried(_ channel: FaultInjectingChannel, _ number: Int) async throws -> Bool {
        do {
            return try await channel.call(idempotent, "\(number)") == "\(number)"
        } catch let error as RPCError where error.code == .unavailable {
            return false
        }
    }

    @Test("a call that was not sent is made again, and runs once at most") func notSent() async {
        let channel = channel { $0.brokenRequests = 0.5 }
        var answered = 0
        for number in 0..<200 {
            if (try? await channel.call(TestService.work, "\(number)")) != nil { answered += 1 }
        }
        #expect((120...180).contains(answered))
        #expect(runs.value == answered)
    }

    @Test("a request that comes twice is answered once; one that may not is not doubled") func doubled() async throws {
        let both = Gate()
        let service = TestService(
            work: { [runs] note, _ in
                // Neither ends before both have begun.
                if runs.add() == 2 { both.open() }
                await both.wait()
                return note
            })
        var faults = FaultInjectingChannel.Faults()
        faults.doubledRequests = 1
        let channel = FaultInjectingChannel(
            InProcessChannel(caller: "calls/calls-1", handlers: [service]), faults, seed: 1)
        #expect(try await channel.call(idempotent, "once") == "once")
        #expect(runs.value == 2)
        #expect(try await channel.call(TestService.work, "single") == "single")
        #expect(runs.value == 3)
    }

    @Test("a stream that breaks has given what came before, in order") func streams() async throws {
        let channel = channel(seed: 3) { $0.brokenStreams = 0.02 }
        var whole = 0
        for _ in 0..<50 {
            let (texts, failure) = await read(channel.open("50"))
            #expect(texts == (0..<texts.count).map(String.init))
            #expect(failure == (texts.count == 50 ? nil : .unavailable))
            if failure == nil { whole += 1 }
        }
        #expect((1..<50).contains(whole))
    }

    /// What a stream gave, and how it failed.
    private func read(_ stream: ResponseStream<Note>) async -> ([String], StatusCode?) {
        var texts: [String] = []
        do throws(RPCError) {
            for try await note in stream { texts.append(note.text) }
        } catch {
            return (texts, error.code)
        }
        return (texts, nil)
    }
}
