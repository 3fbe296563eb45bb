import Runtime
public import ZeroMQ

/// Where a process publishes the live path of events, and with which keys.
public struct LivePathOptions: Sendable {
    private let runDirectory: String
    private let endpoint: String?
    let curve: CurveCredentials?

    /// - Parameters:
    ///   - runDirectory: where its socket lies.
    ///   - endpoint: where it listens instead: `ipc://PATH` or `tcp://ADDRESS:PORT`; port `*` takes a free one.
    ///   - curve: our key, and those of the processes that may listen, and that we listen to. Needed for `tcp://`.
    public init(runDirectory: String, endpoint: String? = nil, curve: CurveCredentials? = nil) {
        self.runDirectory = runDirectory
        self.endpoint = endpoint
        self.curve = curve
    }

    func address(instance: String) throws -> PeerAddress {
        let location = try endpoint ?? "ipc://" + RunDirectory(runDirectory).socket("\(instance).events")
        return PeerAddress(location: location, key: nil)
    }
}
