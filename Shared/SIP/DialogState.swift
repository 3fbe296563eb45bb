/// A dialog as a value (RFC 3261 section 12): all that is needed to go on with it in another process.
///
/// The endpoint keeps the live copy of each dialog and hands out snapshots with its events. A restored dialog may lag behind
/// by some requests: ``restored()`` leaves a gap in the local sequence, which the RFC allows.
public struct DialogState: Hashable, Sendable, Codable {
    public var id: DialogID
    /// Our From (requests that we send) with the local tag.
    public var local: SIPAddress
    /// The other side's address with the remote tag.
    public var remote: SIPAddress
    /// Sequence number of the last request that we sent; 0 when none.
    public var localCSeq: UInt32
    /// Sequence number of the last request that the other side sent; nil when none.
    public var remoteCSeq: UInt32?
    /// The Contact of the other side: request URI of what we send.
    public var remoteTarget: SIPURI
    /// Our own Contact.
    public var localTarget: SIPURI
    /// Route header values in the order in which they are visited.
    public var routeSet: [String]
    public var transport: SIPTransport
    /// We sent the INVITE that opened it: the Call-ID is ours.
    public var isOpenedByUs: Bool
    /// The other side's Allow header names UPDATE.
    public var allowsUpdate: Bool
    /// The session timer in force, for ``SessionTimer``; nil without one.
    public var session: SessionAgreement?

    public init(
        id: DialogID, local: SIPAddress, remote: SIPAddress, localCSeq: UInt32 = 0, remoteCSeq: UInt32? = nil,
        remoteTarget: SIPURI, localTarget: SIPURI, routeSet: [String] = [], transport: SIPTransport,
        isOpenedByUs: Bool = false, allowsUpdate: Bool = false, session: SessionAgreement? = nil
    ) {
        self.id = id
        self.local = local
        self.remote = remote
        self.localCSeq = localCSeq
        self.remoteCSeq = remoteCSeq
        self.remoteTarget = remoteTarget
        self.localTarget = localTarget
        self.routeSet = routeSet
        self.transport = transport
        self.isOpenedByUs = isOpenedByUs
        self.allowsUpdate = allowsUpdate
        self.session = session
    }

    /// The state for a process that takes the dialog over.
    public func restored() -> DialogState {
        var state = self
        state.localCSeq += 1000
        return state
    }
}
