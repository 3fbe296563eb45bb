public import WireFormat

/// The messages of a server-streaming call; ends when the server is done, throws `RPCError` when the call fails. One
/// reader. Dropping it cancels the call.
public struct ResponseStream<Message: WireMessage>: AsyncSequence, Sendable {
    public typealias Element = Message
    public typealias Failure = RPCError

    private let bytes: RPCByteStream

    init(_ bytes: RPCByteStream) {
        self.bytes = bytes
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(bytes: bytes.makeAsyncIterator())
    }

    public struct Iterator: AsyncIteratorProtocol {
        var bytes: RPCByteStream.Iterator

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(RPCError) -> Message? {
            guard let payload = try await bytes.next(isolation: actor) else { return nil }
            do {
                return try payload.message()
            } catch {
                throw RPCError(.internal, "the response is no valid \(Message.messageName)")
            }
        }

        public mutating func next() async throws(RPCError) -> Message? {
            try await next(isolation: nil)
        }
    }
}
