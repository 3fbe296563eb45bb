public import WireFormat

/// A message's bytes as they came from the transport, without a copy where it can do without.
public struct RPCPayload: Sendable {
    private let storage: [UInt8]

    public init(_ bytes: [UInt8]) {
        storage = bytes
    }

    public var count: Int { storage.count }

    public var bytes: [UInt8] { storage }

    /// The bytes in place; valid only during the call.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let result: Swift.Result<Result, Failure> = storage.withUnsafeBytes { buffer in
            do throws(Failure) {
                return .success(try body(buffer))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Decodes the message.
    public func message<Message: WireMessage>() throws(WireError) -> Message {
        try withUnsafeBytes { buffer throws(WireError) in try Message(wire: buffer) }
    }
}
