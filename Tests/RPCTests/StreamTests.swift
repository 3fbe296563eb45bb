import RPC
import Testing

@Suite("Streams, on every transport") struct StreamTests {
    @Test("messages come in order, then the end", arguments: Transport.allCases)
    func order(_ transport: Transport) async throws {
        try await transport.with { channel in
            var next = 0
            for try await note in channel.open("20000") {
                #expect(note.text == "\(next)")
                next += 1
            }
            #expect(next == 20000)
            for try await note in channel.open("0") { Issue.record("unexpected \(note)") }
        }
    }

    @Test("an error comes after what was sent before it", arguments: Transport.allCases)
    func failure(_ transport: Transport) async throws {
        let service = TestService(count: { _, responses, _ in
            for number in 0..<3 { try await responses.write(Note("\(number)")) }
            throw RPCError(.dataLoss, "torn")
        })
        try await transport.with(service) { channel in
            var items: [String] = []
            await #expect(throws: RPCError(.dataLoss, "torn")) {
                for try await note in channel.open() { items.append(note.text) }
            }
            #expect(items == ["0", "1", "2"])
        }
    }

    @Test("a reader that does not read stops the writer at its window", arguments: Transport.unbuffered)
    func credit(_ transport: Transport) async throws {
        let text = String(repeating: "x", count: 1000)
        let windowful = (262_144 + 1063) / 1064
        let written = Tally()
        let full = Gate()
        let service = TestService(count: { _, responses, _ in
            for _ in 0..<5000 {
                try await responses.write(Note(text))
                if written.add() == windowful { full.open() }
            }
        })
        try await transport.with(service) { channel in
            let stream = channel.open()
            await full.wait()
            // As many turns of the server as would let it write on, could it.
            for _ in 0..<50 { _ = try await channel.call(TestService.echo) }
            #expect(written.value == windowful)
            var count = 0
            for try await note in stream where note.text == text { count += 1 }
            #expect(count == 5000)
        }
    }

    @Test("a reader that keeps up is sent more ahead, but never more than 2 MiB", arguments: Transport.unbuffered)
    func growingWindow(_ transport: Transport) async throws {
        let text = String(repeating: "x", count: 1000)
        let (first, largest) = (262_144 / 1064, (2_097_152 + 1063) / 1064)
        let (written, read) = (Tally(), Tally())
        let lead = Gate()
        let kept = 600
        let service = TestService(count: { _, responses, _ in
            for number in 0..<10_000 {
                // In step with the reader at first, which therefore always waits for more.
                while number < kept, read.value < number { await Task.yield() }
                try await responses.write(Note(text))
                if written.add() == kept + 4 * first { lead.open() }
            }
        })
        try await transport.with(service) { channel in
            var stream = channel.open().makeAsyncIterator()
            for _ in 0..<kept {
                let note = try await stream.next()
                #expect(note?.text == text)
                read.add()
            }
            await lead.wait()
            for _ in 0..<50 { _ = try await channel.call(TestService.echo) }
            #expect(written.value - kept <= largest)
            while try await stream.next() != nil { read.add() }
            #expect(read.value == 10_000)
        }
    }

    @Test("dropping a stream cancels the writer, also one that waits for credit", arguments: Transport.allCases)
    func dropping(_ transport: Transport) async throws {
        let (first, cancelled) = (Gate(), Gate())
        let service = TestService(count: { _, responses, _ in
            do {
                while true { try await responses.write(Note(String(repeating: "x", count: 1000))) }
            } catch is CancellationError {
                cancelled.open()
            }
        })
        try await transport.with(service) { channel in
            for try await _ in channel.open() {
                first.open()
                break
            }
            await cancelled.wait()
        }
    }

    @Test("cancelling the reading task ends the stream", arguments: Transport.allCases)
    func cancelling(_ transport: Transport) async throws {
        let (entered, cancelled) = (Gate(), Gate())
        let service = TestService(count: { _, responses, _ in
            try await responses.write(Note("one"))
            try await cancelled.openOnCancel()
        })
        try await transport.with(service) { channel in
            let reader = Task {
                for try await _ in channel.open() { entered.open() }
            }
            await entered.wait()
            reader.cancel()
            await expect(.cancelled) { try await reader.value }
            await cancelled.wait()
        }
    }
}
