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
    /// Encoded frames that the connection had no room for.
    var waiting: [[UInt8]] = []
    var waitingBytes = 0
    private var callerBytes: [UInt8] = []
    private var caller = ""

    init(identity: [UInt8], key: UInt64, descriptor: Int32?) {
        self.identity = identity
        self.key = key
        self.descriptor = descriptor
    }

    /// The caller's name as text; nearly always the one of the frame before.
    func callerName(_ bytes: UnsafeRawBufferPointer) -> String? {
        if callerBytes.elementsEqual(bytes) { return caller }
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        callerBytes = [UInt8](bytes)
        caller = text
        return text
    }

    /// The identity as a number; nil for one that the client chose itself, which ours never do.
    static func key(_ identity: UnsafeRawBufferPointer) -> UInt64? {
        guard identity.count == 5, identity[0] == 0 else { return nil }
        return UInt64(identity.loadUnaligned(fromByteOffset: 1, as: UInt32.self)) | 1 << 32
    }
}
