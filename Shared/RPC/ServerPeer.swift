import ZeroMQ

/// One client's connection, as the server sees it. Socket thread only.
final class ServerPeer {
    /// The router's name for the connection: a zero byte and four that libzmq counts.
    let identity: [UInt8]
    let key: UInt64
    /// Of the connection, to find the peer when the monitor reports it gone; descriptors are used again.
    var descriptor: Int32?
    /// Beats of the server since anything was heard.
    var silentBeats = 0
    /// Still to be probed so many times, because a connection with its descriptor has ended.
    var probes = 0
    var isGone = false
    var calls: [UInt64: IncomingCall] = [:]
    /// What the loop's present turn has made for the peer.
    let batch = FrameBatch()
    /// Messages that the connection had no room for.
    var waiting: [[UInt8]] = []
    var waitingBytes = 0
    private var callerBytes: [UInt8] = []
    private var caller: Caller?
    /// Whose the connection is, where it speaks CURVE.
    private let owner: (key: CurvePublicKey?, allowed: AllowedKeys)?
    private var allowed: AllowedKey?

    enum Caller {
        case known(String)
        case refused(RPCError)
    }

    /// - Parameters:
    ///   - curve: the keys that are allowed; nil where the connection does not speak CURVE.
    ///   - publicKey: the peer's.
    init(identity: [UInt8], key: UInt64, descriptor: Int32?, curve: AllowedKeys?, publicKey: CurvePublicKey?) {
        self.identity = identity
        self.key = key
        self.descriptor = descriptor
        owner = curve.map { (publicKey, $0) }
        _ = isStillAllowed()
    }

    /// Looks the key up again. False: it is not, or no longer, allowed.
    func isStillAllowed() -> Bool {
        guard let owner else { return true }
        let found = owner.key.flatMap(owner.allowed.find)
        if found != allowed { caller = nil }
        allowed = found
        return found != nil
    }

    /// Who calls; nearly always who called before. Nil: no name at all. On one machine the caller is believed, for only
    /// processes of the same user can connect. Between machines its key says who it is, and the name only which of
    /// the key's roles it calls in.
    func caller(_ bytes: UnsafeRawBufferPointer) -> Caller? {
        if let caller, callerBytes.elementsEqual(bytes) { return caller }
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let caller = caller(claiming: text)
        callerBytes = [UInt8](bytes)
        self.caller = caller
        return caller
    }

    private func caller(claiming text: String) -> Caller {
        guard owner != nil else { return .known(text) }
        guard let allowed else { return .refused(RPCError(.unauthenticated, "the key is not allowed")) }
        let role = String(text.prefix { $0 != "/" })
        guard allowed.roles.contains(role) else {
            return .refused(RPCError(.permissionDenied, "the key does not have the caller's role"))
        }
        return .known("\(role)/\(allowed.name)")
    }

    /// The identity as a number; nil for one that the client chose itself, which ours never do.
    static func key(_ identity: UnsafeRawBufferPointer) -> UInt64? {
        guard identity.count == 5, identity[0] == 0 else { return nil }
        return UInt64(identity.loadUnaligned(fromByteOffset: 1, as: UInt32.self)) | 1 << 32
    }
}
