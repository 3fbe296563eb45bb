/// The messages of a server-streaming call as bytes; ends when the server is done, throws when the call fails. One
/// reader. Dropping it cancels the call.
public struct RPCByteStream: AsyncSequence, Sendable {
    public typealias Element = RPCPayload
    public typealias Failure = RPCError

    /// Cancels the call when the last copy of stream and iterator is gone; the transport keeps only the inbox.
    fileprivate final class Reader: Sendable {
        let inbox: StreamInbox

        init(_ inbox: StreamInbox) { self.inbox = inbox }

        deinit { inbox.cancel() }
    }

    private let reader: Reader

    init(_ inbox: StreamInbox) { reader = Reader(inbox) }

    public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

    /// Ends the call; a pending read throws `cancelled`.
    public func cancel() { reader.inbox.cancel() }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: Reader

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(RPCError) -> RPCPayload? {
            try await reader.inbox.next()
        }

        public mutating func next() async throws(RPCError) -> RPCPayload? {
            try await reader.inbox.next()
        }
    }
}
