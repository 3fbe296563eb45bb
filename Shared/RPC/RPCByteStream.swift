/// The messages of a server-streaming call as bytes; ends when the server is done, throws when the call fails. One
/// reader. Dropping it cancels the call.
public struct RPCByteStream: AsyncSequence, Sendable {
    public typealias Element = RPCPayload
    public typealias Failure = RPCError

    let inbox: StreamInbox

    public func makeAsyncIterator() -> Iterator {
        Iterator(inbox: inbox)
    }

    public struct Iterator: AsyncIteratorProtocol {
        let inbox: StreamInbox

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(RPCError) -> RPCPayload? {
            try await inbox.next()
        }

        public mutating func next() async throws(RPCError) -> RPCPayload? {
            try await inbox.next()
        }
    }
}

final class StreamInbox: Sendable {
    func next() async throws(RPCError) -> RPCPayload? { fatalError("being written") }
}
