/// Where one instance of a service listens.
public struct Endpoint: Hashable, Sendable {
    /// `calls`.
    public let service: String
    /// `calls-1`: unique within its service.
    public let instance: String
    /// A ZeroMQ address: `ipc:///run/bellwire/calls-1.sock` or `tcp://10.0.0.1:7000`.
    public let address: String

    public init(service: String, instance: String, address: String) {
        self.service = service
        self.instance = instance
        self.address = address
    }
}
