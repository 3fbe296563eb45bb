import AdminCore
import RPC
import Synchronization
import Testing

@Suite struct FollowingTests {
    /// Gives what was prepared for each opening, then ends or fails.
    private struct Script: AsyncSequence {
        typealias Element = Int
        typealias Failure = RPCError
        let messages: [Int]
        let end: RPCError?

        struct Iterator: AsyncIteratorProtocol {
            var messages: ArraySlice<Int>
            let end: RPCError?

            mutating func next() async throws(RPCError) -> Int? {
                if let message = messages.popFirst() { return message }
                if let end { throw end }
                return nil
            }

            mutating func next(isolation actor: isolated (any Actor)?) async throws(RPCError) -> Int? {
                try await next()
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(messages: messages[...], end: end) }
    }

    private func follow(_ scripts: [Script]) async -> (seen: [Int], opened: [String], error: RPCError?) {
        var rest = scripts[...]
        var opened: [String] = []
        var seen: [Int] = []
        do {
            let following = Following(
                output: Output(json: true, standardOutput: { _ in }),
                backoff: RestartBackoff(first: .zero, longest: .zero, healthyAfter: .zero))
            try await following.run(after: "begin") { token in
                opened.append(token)
                return rest.popFirst() ?? Script(messages: [], end: RPCError(.permissionDenied, "over"))
            } handle: { message in
                seen.append(message)
                return message == 0 ? "" : "t\(message)"
            }
            return (seen, opened, nil)
        } catch let error as RPCError {
            return (seen, opened, error)
        } catch {
            return (seen, opened, RPCError(.unknown, "\(error)"))
        }
    }

    @Test func `goes on after the last token when the stream breaks or ends`() async {
        let broken = RPCError(.unavailable, "gone")
        let result = await follow([
            Script(messages: [1, 2], end: broken), Script(messages: [], end: broken),
            Script(messages: [3, 0], end: nil),
        ])
        #expect(result.seen == [1, 2, 3, 0])
        #expect(result.opened == ["begin", "t2", "t2", "t3"])
        #expect(result.error?.code == .permissionDenied)
    }

    @Test func `says nothing when it is ended`() async {
        let notes = Mutex("")
        let following = Following(
            output: Output(
                json: false, standardOutput: { _ in }, standardError: { text in notes.withLock { $0 += text } }))
        let work = Task {
            try await following.run(after: "") { _ in
                Script(messages: [1], end: RPCError(.cancelled, "ended"))
            } handle: { _ in
                withUnsafeCurrentTask { $0?.cancel() }
                return ""
            }
        }
        await #expect(throws: CancellationError.self) { try await work.value }
        #expect(notes.withLock { $0 } == "")
    }

    @Test func `gives up at once when the stream could never be opened`() async {
        let result = await follow([Script(messages: [], end: RPCError(.unavailable, "nobody there"))])
        #expect(result.opened == ["begin"])
        #expect(result.error?.code == .unavailable)
    }
}
