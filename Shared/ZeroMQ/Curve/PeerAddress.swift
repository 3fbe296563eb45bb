/// Where a socket listens, and as whom: `tcp://HOST:PORT#KEY` with the listener's public key where it speaks CURVE,
/// `tcp://HOST:PORT` or `ipc://PATH` where it does not.
public struct PeerAddress: Sendable, Hashable, CustomStringConvertible {
    /// As ZeroMQ has it.
    public let location: String
    public let key: CurvePublicKey?

    public init(location: String, key: CurvePublicKey?) {
        self.location = location
        self.key = key
    }

    /// Nil when a key is there that is none.
    public init?(_ text: String) {
        guard text.hasPrefix("tcp://"), let mark = text.firstIndex(of: "#") else {
            self.init(location: text, key: nil)
            return
        }
        guard let key = CurvePublicKey(String(text[text.index(after: mark)...])) else { return nil }
        self.init(location: String(text[..<mark]), key: key)
    }

    public var description: String { key.map { "\(location)#\($0)" } ?? location }

    /// Between hosts: whoever is in between can read and change what is sent.
    public var crossesNetwork: Bool { location.hasPrefix("tcp://") }

    /// How a client with these credentials connects there. Nil: it must not.
    func mechanism(for credentials: CurveCredentials?, trusting: (AllowedKey) -> Bool) -> Mechanism? {
        guard let key else {
            // Who has keys does not speak openly to whom the directory of instances names without one.
            return crossesNetwork && credentials != nil ? nil : .open
        }
        guard let credentials, let allowed = credentials.allowed.find(key), trusting(allowed) else { return nil }
        return .curve(server: key, secret: credentials.secret)
    }

    enum Mechanism {
        case open
        case curve(server: CurvePublicKey, secret: CurveSecretKey)
    }
}
