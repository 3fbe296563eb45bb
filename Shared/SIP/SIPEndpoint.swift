internal import CSIP
internal import Dispatch
public import Observability
public import Runtime
internal import Synchronization

/// A SIP user agent on one address over UDP and TCP: transactions, transports and the table of dialogs.
///
/// Runs the sofia-sip stack on a thread of its own. All methods may be called from anywhere; what they ask for is done on
/// that thread in the order of the calls. What names a transaction that is gone is ignored and counted in
/// `sip_stale_actions_total`: races with CANCEL and BYE are no errors.
public final class SIPEndpoint: Sendable, Component {
    private struct State {
        var phase = Phase.idle
        var actions: [Action] = []
        var isWakePosted = false
    }

    private enum Phase {
        case idle
        case starting
        /// The stack, and the core that its callbacks know.
        case running(Stack)
        case stopped
    }

    /// `@unchecked`: the pointers are only handed on; csip_wake and csip_stop may be called from any thread.
    private struct Stack: @unchecked Sendable {
        let agent: OpaquePointer
        let core: Unmanaged<SIPCore>
    }

    typealias Action = @Sendable (SIPCore) -> Void

    public let name = "sip"
    private let host: String
    private let wantedPort: UInt16
    private let advertised: (host: String, port: UInt16?)?
    let sessionTimers: SessionTimerPolicy?
    private let userAgent: String
    private let timers: SIPTimers
    private let logger: Logger
    private let counters: Counters
    private let handler: Mutex<(any SIPHandler)?>
    private let state = Mutex(State())
    private let fence: SIPFence?
    private let isSilent = Atomic<Bool>(false)
    private let isDeaf = Atomic<Bool>(false)
    private let boundPort = Atomic<UInt16>(0)
    private let lastID = Atomic<UInt64>(0)

    /// - Parameters:
    ///   - host: IPv4 address to listen on; it also stands in Via.
    ///   - port: UDP and TCP port; 0 lets the system choose, see ``port``.
    ///   - advertised: what Contact says instead of `host` and the bound port: a name or address that leads here, or to
    ///     whoever takes over.
    ///   - sessionTimers: nil: none are negotiated.
    ///   - fence: nil: nobody else can come to own the address.
    ///   - handler: held until ``stop()``.
    public init(
        host: String, port: UInt16, advertised: (host: String, port: UInt16?)? = nil, userAgent: String,
        sessionTimers: SessionTimerPolicy? = nil, fence: SIPFence? = nil, handler: any SIPHandler,
        timers: SIPTimers = SIPTimers(), logger: Logger, counters: Counters
    ) {
        self.host = host
        self.wantedPort = port
        self.advertised = advertised
        self.sessionTimers = sessionTimers
        self.fence = fence
        self.userAgent = userAgent
        self.handler = Mutex(handler)
        self.timers = timers
        self.logger = logger
        self.counters = counters
    }

    /// Binds the sockets and starts the thread. A start that failed may be tried again.
    /// - Throws: ``SIPError``; ``SIPError/cannotBind(transport:host:port:reason:)`` names the address in use.
    public func start() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            DispatchQueue.global().async { continuation.resume(with: Result { try self.startNow() }) }
        }
        logger.info("SIP is listening", [.port: .int(Int(port))])
    }

    private func startNow() throws {
        let mayStart = state.withLock { state in
            guard case .idle = state.phase else { return false }
            state.phase = .starting
            return true
        }
        guard mayStart, let handler = handler.withLock({ $0 }) else { throw SIPError.alreadyStarted }
        let core = Unmanaged.passRetained(
            SIPCore(
                endpoint: self, handler: handler, counters: SIPCounters(counters), sessionTimers: sessionTimers))
        var callbacks = SIPCallbacks.all
        var error: Int32 = 0
        var failed: Int32 = 0
        let agent = host.withCString { host in
            userAgent.withCString { userAgent in
                var options = csip_options(
                    host: host, port: wantedPort, user_agent: userAgent, t1: timers.t1.wholeMilliseconds,
                    t2: timers.t2.wholeMilliseconds, t4: timers.t4.wholeMilliseconds,
                    takes_over: fence == nil ? 0 : 1)
                return csip_start(&options, &callbacks, core.toOpaque(), &error, &failed)
            }
        }
        guard let agent else {
            core.release()
            state.withLock { $0.phase = .idle }
            throw SIPError(errorNumber: error, failedTransport: failed, host: host, port: wantedPort)
        }
        boundPort.store(csip_port(agent), ordering: .releasing)
        state.withLock { state in
            state.phase = .running(Stack(agent: agent, core: core))
            // The handler may have asked for something before the start was over.
            if !state.actions.isEmpty { Self.wake(&state, agent) }
        }
    }

    /// Closes the sockets and joins the thread. Calls in progress get no farewell, open INVITEs a 503: end them first. No
    /// event follows. Must not be called from the handler.
    public func stop() async {
        let stack = state.withLock { state -> Stack? in
            guard case .running(let stack) = state.phase else { return nil }
            state.phase = .stopped
            return stack
        }
        guard let stack else { return }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            DispatchQueue.global().async {
                csip_stop(stack.agent) { context in
                    guard let context else { return }
                    let core = Unmanaged<SIPCore>.fromOpaque(context).takeUnretainedValue()
                    core.endpoint.drain(core)
                    core.shutDown()
                }
                stack.core.release()
                continuation.resume()
            }
        }
        handler.withLock { $0 = nil }
        boundPort.store(0, ordering: .releasing)
    }

    /// Nothing is sent from now on, to anybody: whatever comes is the next owner's of the address to answer.
    public func fallSilent() { isSilent.store(true, ordering: .releasing) }

    /// Nothing is read from now on: what comes is left to the next owner of the address, while what was asked for before is
    /// still sent. Returns when the handler has been told of everything that was read.
    public func fallDeaf() async {
        isDeaf.store(true, ordering: .releasing)
        await flush()
    }

    /// Returns when everything that was asked for before has been handed to the stack.
    public func flush() async {
        await withCheckedContinuation { continuation in
            if !post({ _ in continuation.resume() }) { continuation.resume() }
        }
    }

    /// Asked on the SIP thread before anything is read.
    var mayReceive: Bool { !isDeaf.load(ordering: .acquiring) }

    /// Asked on the SIP thread before anything leaves.
    var maySend: Bool { !isSilent.load(ordering: .acquiring) && fence?.maySend() ?? true }

    /// The bound port; 0 when it does not run.
    public var port: UInt16 { boundPort.load(ordering: .acquiring) }

    /// Answers an INVITE or an in-dialog request, with 101...699.
    ///
    /// Contact is added to what answers INVITE and UPDATE below 300, Allow and Supported to a 2xx for INVITE. That 2xx is
    /// retransmitted until its ACK. Only the first final response goes out; one other than 2xx to an initial INVITE ends its
    /// dialog.
    public func respond(to transaction: SIPTransactionID, _ response: SIPResponse) {
        post { $0.respond(to: transaction.value, response) }
    }

    /// Sends a request in an answered dialog; its answer comes as ``SIPEvent/response(_:)``.
    ///
    /// Without such a dialog the answer is a 481 made here, with an INVITE of ours still open a 491. A BYE ends the dialog at
    /// once, or, while our 2xx waits for its ACK, after that (RFC 3261 section 15). ACKs are sent by the endpoint.
    @discardableResult
    public func send(_ request: OutgoingRequest, in dialog: DialogID) -> SIPTransactionID {
        let id = nextID()
        post { $0.send(request, in: dialog, id: id) }
        return SIPTransactionID(value: id)
    }

    /// Sends BYE, with a Reason header (RFC 3326) when given.
    @discardableResult
    public func sendBye(in dialog: DialogID, reason: SIPHeader? = nil) -> SIPTransactionID {
        send(OutgoingRequest(.bye, headers: reason.map { [$0] } ?? []), in: dialog)
    }

    /// Refuses an INVITE that another process left unanswered, under the To tag that its caller has seen.
    ///
    /// Over UDP only: a TCP connection died with its process. Nothing happens when the transaction exists here or `status`
    /// is below 300.
    /// - Parameter rawMessage: ``IncomingInvite/rawMessage``.
    public func refuse(storedInvite rawMessage: [UInt8], of dialog: DialogState, _ response: SIPResponse) {
        post { $0.refuse(storedInvite: rawMessage, of: dialog, response) }
    }

    /// Forgets a dialog: requests in it are answered 481 from now on, what is open in it as well.
    public func forget(_ dialog: DialogID) {
        post { $0.forget(dialog, answering: 481) }
    }

    /// Our Contact URI for calls over a transport.
    ///
    /// Its parameters come back in the Request-URI of every request of the other side: a slot or call named there tells a
    /// proxy in front, or the process that takes over, whose the dialog is.
    public func contact(
        over transport: SIPTransport, user: String? = nil, parameters: [SIPURI.Parameter] = []
    ) -> SIPURI {
        contact(over: transport, port: port == 0 ? wantedPort : port, user: user, parameters: parameters)
    }

    func contact(
        over transport: SIPTransport, port: UInt16, user: String? = nil, parameters: [SIPURI.Parameter] = []
    ) -> SIPURI {
        let kind = transport == .udp ? [] : [SIPURI.Parameter("transport", transport.rawValue)]
        return SIPURI(
            user: user, host: advertised?.host ?? host, port: advertised.map { $0.port } ?? port,
            parameters: kind + parameters)
    }

    /// What the endpoint holds now; zeros when it does not run.
    public func statistics() async -> SIPStatistics {
        await withCheckedContinuation { continuation in
            let isPosted = post { continuation.resume(returning: $0.statistics()) }
            if !isPosted { continuation.resume(returning: SIPStatistics()) }
        }
    }

    func nextID() -> UInt64 { lastID.wrappingAdd(1, ordering: .relaxed).newValue }

    /// - Parameter early: before the start the action waits for it, and comes before the first message.
    @discardableResult
    func post(early: Bool = false, _ action: @escaping Action) -> Bool {
        state.withLock { state in
            switch state.phase {
            case .idle where early: state.actions.append(action)
            case .starting: state.actions.append(action)
            case .running(let stack):
                state.actions.append(action)
                Self.wake(&state, stack.agent)
            case .idle, .stopped: return false
            }
            return true
        }
    }

    private static func wake(_ state: inout State, _ agent: OpaquePointer) {
        guard !state.isWakePosted else { return }
        state.isWakePosted = csip_wake(agent) >= 0
    }

    /// On the SIP thread: does what was asked for.
    func drain(_ core: SIPCore) {
        let actions = state.withLock { state in
            state.isWakePosted = false
            defer { state.actions = [] }
            return state.actions
        }
        for action in actions { action(core) }
    }
}

extension Duration {
    /// For the stack's timers: at least 1.
    fileprivate var wholeMilliseconds: UInt32 { UInt32(clamping: max(1, milliseconds)) }
}
