/// A `.proto` service with its methods, in the file's order: a method's index is what `RPCHandler` dispatches by.
public struct ServiceDescriptor: Sendable, Hashable {
    /// The full name, such as `bellwire.calls.v1.Calls`.
    public let name: String
    /// The name under which instances register, such as `calls`.
    public let package: String
    public let methods: [MethodDescriptor]

    public init(name: String, package: String, methods: [MethodDescriptor]) {
        self.name = name
        self.package = package
        self.methods = methods
    }
}
