public import WireFormat

/// The sending end of a server-streaming call.
public struct ResponseWriter<Message: WireMessage>: Sendable {
    private let responder: any Responder

    init(_ responder: any Responder) {
        self.responder = responder
    }

    /// Sends one message. Suspends while the reader is behind by its window (256 KiB, up to 2 MiB where it kept up with
    /// that), so a slow reader bounds the server's memory; throws `CancellationError` once the call is over.
    public func write(_ message: Message) async throws {
        try await responder.write(message.wireBytes())
    }
}
