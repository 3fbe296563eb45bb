import RPC
import Testing

@Suite("Unary calls, on every transport") struct UnaryTests {
    struct Foreign: Error { let secret = "+1 202 555 0100" }
    struct Converted: RPCErrorConvertible {
        var rpcError: RPCError { RPCError(.failedPrecondition, "not yet") }
    }

    @Test("a call is answered", arguments: Transport.allCases) func answers(_ transport: Transport) async throws {
        try await transport.with { channel in
            let answer1 = try await channel.call(TestService.echo, "hello")
            #expect(answer1 == "hello")
            let answer2 = try await channel.call(TestService.echo, "")
            #expect(answer2 == "")
            let large = String(repeating: "x", count: 1 << 20)
            let answer3 = try await channel.call(TestService.echo, large)
            #expect(answer3 == large)
        }
    }

    @Test("a thousand calls at once get each its own answer", arguments: Transport.allCases)
    func concurrent(_ transport: Transport) async throws {
        let service = TestService(work: { note, _ in
            await Task.yield()
            return Note(note.text + "!")
        })
        try await transport.with(service) { channel in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<1000 {
                    group.addTask { try await channel.call(TestService.work, "\(number)") == "\(number)!" }
                }
                for try await isRight in group { #expect(isRight) }
            }
        }
    }

    @Test("each status code arrives as it was thrown", arguments: Transport.allCases, StatusCode.allCases.dropFirst())
    func codes(_ transport: Transport, _ code: StatusCode) async throws {
        let service = TestService(work: { _, _ in throw RPCError(code, "why \(code.slug)") })
        try await transport.with(service) { channel in
            await #expect(throws: RPCError(code, "why \(code.slug)")) { try await channel.call(TestService.work) }
        }
    }

    @Test("an error converts itself; a foreign one becomes internal and tells nothing", arguments: Transport.allCases)
    func errors(_ transport: Transport) async throws {
        let service = TestService(work: { note, _ in
            if note.text == "foreign" { throw Foreign() }
            throw Converted()
        })
        try await transport.with(service) { channel in
            await #expect(throws: RPCError(.internal, "internal error")) {
                try await channel.call(TestService.work, "foreign")
            }
            await #expect(throws: RPCError(.failedPrecondition, "not yet")) {
                try await channel.call(TestService.work)
            }
        }
    }

    @Test("an unknown method is unimplemented, a bad request invalid", arguments: Transport.allCases)
    func unknown(_ transport: Transport) async throws {
        try await transport.with { channel in
            await expect(.unimplemented) { try await channel.call(TestService.absent) }
            await expect(.invalidArgument) { try await channel.call(TestService.echo, "\0") }
        }
    }

    @Test("a method is open to its roles only", arguments: Transport.allCases)
    func roles(_ transport: Transport) async throws {
        try await transport.with(caller: "records/records-2") { channel in
            let answer4 = try await channel.call(TestService.restricted)
            #expect(answer4 == "records/records-2")
        }
        try await transport.with(caller: "voicemail/voicemail-1") { channel in
            await expect(.permissionDenied) { try await channel.call(TestService.restricted) }
        }
    }

    @Test("calls beyond a method's limit are refused, not queued", arguments: Transport.allCases)
    func limits(_ transport: Transport) async throws {
        let (gate, entered) = (Gate(), Gate())
        let count = Tally()
        let service = TestService(work: { note, _ in
            if count.add() == 2 { entered.open() }
            await gate.wait()
            return note
        })
        var options = RPCServerOptions()
        options.concurrencyByMethod["Work"] = 2
        try await transport.with(service, options: options) { channel in
            async let first = channel.call(TestService.work, "1")
            async let second = channel.call(TestService.work, "2")
            await entered.wait()
            await expect(.resourceExhausted) { try await channel.call(TestService.work, "3") }
            let answer5 = try await channel.call(TestService.echo, "free")
            #expect(answer5 == "free")
            gate.open()
            let answers = try await [first, second]
            #expect(answers == ["1", "2"])
            let answer6 = try await channel.call(TestService.work, "4")
            #expect(answer6 == "4")
        }
    }
}

/// Expects a status, whatever its text.
func expect(
    _ code: StatusCode, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> some Sendable
) async {
    do {
        let value = try await body()
        Issue.record("expected \(code), got \(value)", sourceLocation: sourceLocation)
    } catch {
        #expect((error as? RPCError)?.code == code, "\(error)", sourceLocation: sourceLocation)
    }
}
