import RPC

/// The resolver of a client that knows one address.
struct OneServer: EndpointResolver {
    let endpoint: Endpoint
    private let all: [Endpoint]

    init(_ address: String) {
        endpoint = Endpoint(service: "fabric", instance: "fabric-1", address: address)
        all = [endpoint]
    }

    func instances(of service: String) -> [Endpoint] { all }
    func owner(of service: String, slot: Int) -> Endpoint? { endpoint }
    func refresh() async {}
}
