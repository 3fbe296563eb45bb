/// A protobuf message as a Swift value. Generated structs conform; `Codable` is proto3's JSON mapping.
public protocol WireMessage: Sendable, Equatable, Codable {
    /// The full protobuf name, such as `bellwire.calls.v1.Call`.
    static var messageName: String { get }

    /// Every field at its proto3 default.
    init()

    /// Decodes the binary form. The buffer is read only during the call.
    init(wire: UnsafeRawBufferPointer) throws(WireError)

    /// The binary form.
    func wireBytes() -> [UInt8]
}

extension WireMessage {
    /// Decodes the binary form.
    public init(wireBytes: [UInt8]) throws(WireError) {
        let result: Result<Self, WireError> = wireBytes.withUnsafeBytes { buffer in
            do throws(WireError) {
                return .success(try Self(wire: buffer))
            } catch {
                return .failure(error)
            }
        }
        self = try result.get()
    }
}
