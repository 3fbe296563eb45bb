import RPC
import Testing

@Suite("Deadlines and cancelling, on every transport") struct DeadlineTests {
    @Test("a deadline ends the call at both ends", arguments: Transport.allCases)
    func deadline(_ transport: Transport) async throws {
        let (entered, cancelled) = (Gate(), Gate())
        let service = TestService(work: { note, _ in
            entered.open()
            try await cancelled.openOnCancel()
            return note
        })
        try await transport.with(service) { channel in
            // On a busy machine the deadline may pass before the call has reached the handler.
            var deadline = Duration.milliseconds(50)
            while !entered.isOpen {
                await expect(.deadlineExceeded) { try await channel.call(TestService.work, deadline: deadline) }
                deadline *= 2
            }
            await cancelled.wait()
        }
    }

    @Test("a deadline ends a stream", arguments: Transport.allCases)
    func streamDeadline(_ transport: Transport) async throws {
        let (entered, cancelled) = (Gate(), Gate())
        let service = TestService(count: { _, responses, _ in
            try await responses.write(Note("one"))
            entered.open()
            try await cancelled.openOnCancel()
        })
        try await transport.with(service) { channel in
            var deadline = Duration.milliseconds(50)
            while !entered.isOpen {
                await expect(.deadlineExceeded) {
                    for try await note in channel.open(deadline: deadline) { #expect(note.text == "one") }
                }
                deadline *= 2
            }
            await cancelled.wait()
        }
    }

    @Test("an onward call inherits trace and remaining deadline, and its own may only be shorter")
    func onward() async throws {
        try await Transport.zeroMQ.with(
            TestService(work: { _, context in
                Note("\(context.traceID) \(context.caller) \(context.remaining.map { $0 <= .seconds(60) } ?? false)")
            })
        ) { channel in
            let front = TestService(work: { _, context in
                let answer = try await channel.call(TestService.work, deadline: .seconds(3600))
                return Note("\(context.traceID)|\(answer)")
            })
            let entry = InProcessChannel(caller: "edge/edge-1", handlers: [front])
            let parts = try await entry.call(TestService.work, deadline: .seconds(60)).split(separator: "|")
            #expect(parts[1] == "\(parts[0]) calls/calls-1 true")
        }
    }

    @Test("cancelling reaches the server and its onward calls", arguments: Transport.allCases)
    func cancelling(_ transport: Transport) async throws {
        let (entered, cancelled) = (Gate(), Gate())
        let back = TestService(work: { note, _ in
            entered.open()
            try await cancelled.openOnCancel()
            return note
        })
        try await transport.with(back) { onward in
            let front = TestService(work: { _, _ in Note(try await onward.call(TestService.work)) })
            try await transport.with(front) { channel in
                let call = Task { try await channel.call(TestService.work) }
                await entered.wait()
                call.cancel()
                await expect(.cancelled) { try await call.value }
                await cancelled.wait()
            }
        }
    }

    @Test("a task that is already cancelled makes no call", arguments: Transport.allCases)
    func cancelledBefore(_ transport: Transport) async throws {
        let calls = Tally()
        let service = TestService(work: { note, _ in
            calls.add()
            return note
        })
        try await transport.with(service) { channel in
            let gate = Gate()
            let call = Task {
                await gate.wait()
                return try await channel.call(TestService.work)
            }
            call.cancel()
            await expect(.cancelled) { try await call.value }
            #expect(calls.value == 0)
        }
    }
}
