internal import CSIP
internal import Observability

/// The endpoint's state: transactions and dialogs. Touched on the SIP thread only.
final class SIPCore {
    struct Server {
        let pointer: OpaquePointer
        let method: SIPMethod
        let dialog: DialogID
        /// Of the INVITE that opened the dialog.
        var opening: Opening?
        /// What a 2xx says about session timers.
        var session: SessionNegotiation?
        /// A 2xx to an INVITE is out; nothing but ACK or timeout is to come.
        var awaitsACK = false

        var opensDialog: Bool { opening != nil }
    }

    /// What an INVITE without To tag has in common with its copies that come by other ways (RFC 3261 section 8.2.2.2).
    struct Opening: Hashable {
        let callID: String
        let fromTag: String
        let cseq: UInt32
    }

    struct Client {
        /// Nil until the stack has it.
        var pointer: OpaquePointer?
        let dialog: DialogID
        let cseq: UInt32
        /// For the attempt that answers a challenge.
        let request: OutgoingRequest
        /// What the request said about us, repeated in the ACK.
        let authorization: [SIPHeader]
        var attempt = 1
        /// Of a BYE: the dialog, which is forgotten, for a challenge.
        var parting: Dialog?
        /// A final answer came.
        var isDone = false

        var method: SIPMethod { request.method }
    }

    /// An INVITE of ours without a final answer that opens dialogs.
    struct Invite {
        var state: InviteState
        var credentials: SIPCredentials?
        /// Nil until the stack has it.
        var pointer: OpaquePointer?
        /// The one that this attempt carries.
        var authorization: [SIPHeader] = []
        /// Early dialogs, by the order of their provisional responses.
        var forks: [DialogID] = []
        /// Another process sent it.
        let isRestored: Bool
        var isCancelled = false
    }

    /// The ACK for a 2xx of the other side that is still to be sent.
    struct Acknowledgement {
        /// The INVITE.
        let pointer: OpaquePointer
        let cseq: UInt32
        let authorization: [SIPHeader]
    }

    struct Dialog {
        var state: DialogState
        /// The connection it came in on; nil over UDP.
        var flow: OpaquePointer?
        /// Server transactions to be answered.
        var pending: Set<UInt64> = []
        /// The INVITE among them.
        var pendingInvite: UInt64?
        /// The INVITE whose 2xx waits for its ACK.
        var unacknowledged: UInt64?
        /// Our own INVITE without a final answer.
        var sentInvite: UInt64?
        /// The other side's 2xx waits for our ACK.
        var acknowledgement: Acknowledgement?
        /// For challenges in the dialog.
        var credentials: SIPCredentials?
        var challenges: [DigestSession] = []
        /// Min-SE as the other side's 422 raised it.
        var minimumSession: UInt32 = 0
        /// A BYE that waits for the ACK (RFC 3261 section 15).
        var deferredBye: (id: UInt64, request: OutgoingRequest)?
        var isConfirmed = false
    }

    let endpoint: SIPEndpoint
    let handler: any SIPHandler
    let counters: SIPCounters
    let sessionTimers: SessionTimerPolicy?
    var servers: [UInt64: Server] = [:]
    var clients: [UInt64: Client] = [:]
    var dialogs: [DialogID: Dialog] = [:]
    var invites: [UInt64: Invite] = [:]
    var inviteIDs: [InviteID: UInt64] = [:]
    /// Of the INVITEs among ``servers``: a copy is answered 482.
    var openings: Set<Opening> = []
    private var counted = (counts: csip_counts(), dialogs: 0)
    private var lastRefresh = ContinuousClock.now

    init(
        endpoint: SIPEndpoint, handler: any SIPHandler, counters: SIPCounters, sessionTimers: SessionTimerPolicy?
    ) {
        self.endpoint = endpoint
        self.handler = handler
        self.counters = counters
        self.sessionTimers = sessionTimers
    }

    /// The stack; there is one on this thread while anything here runs.
    var agent: OpaquePointer {
        guard let agent = csip_of_thread() else { preconditionFailure("the SIP core is used on its own thread only") }
        return agent
    }

    func emit(_ event: SIPEvent) {
        handler.handle(event, on: endpoint)
    }

    /// Answers on the wire. Returns false when the response could not be sent.
    func write(_ response: SIPResponse, to server: OpaquePointer, contact: SIPURI? = nil) -> Bool {
        let lines = SIPHeader.lines(response.headers)
        let body = response.body?.bytes ?? []
        let type = response.body.flatMap { SIPHeader("Content-Type", $0.contentType).isWritable ? $0.contentType : nil }
        let phrase = response.reasonPhrase.flatMap { SIPHeader("Reason", $0).isWritable ? $0 : nil }
        let contactText: String? = contact.map { "<\($0.text)>" }
        counters.response(response.status)
        return csip_server_respond(
            agent, server, Int32(response.status), phrase, contactText, lines, type, body, body.count) == 0
    }

    func statistics() -> SIPStatistics {
        let counts = refreshCounters()
        var statistics = SIPStatistics()
        statistics.serverTransactions = counts.server_transactions
        statistics.clientTransactions = counts.client_transactions
        statistics.pendingRequests = servers.values.count { !$0.awaitsACK }
        statistics.openRequests = clients.count + invites.count
        statistics.dialogs = dialogs.count
        return statistics
    }

    /// Once a second at most: reading the stack's counts costs more than most actions.
    func refreshCountersNowAndThen() {
        let now = ContinuousClock.now
        guard now - lastRefresh >= .seconds(1) else { return }
        lastRefresh = now
        refreshCounters()
    }

    @discardableResult
    func refreshCounters() -> csip_counts {
        var counts = csip_counts()
        csip_count(agent, &counts)
        counters.refresh(counts, since: counted.counts, dialogs: dialogs.count - counted.dialogs)
        counted = (counts, dialogs.count)
        return counts
    }

    /// The last work before the stack goes: what is open gets its answer, what is held is released.
    func shutDown() {
        refreshCounters()
        for server in servers.values {
            if !server.awaitsACK { _ = write(SIPResponse(server.method == .bye ? 200 : 503), to: server.pointer) }
            csip_server_destroy(server.pointer)
        }
        for client in clients.values { client.pointer.map(csip_client_destroy) }
        for invite in invites.values { invite.pointer.map(csip_client_destroy) }
        for dialog in dialogs.values {
            dialog.flow.map(csip_flow_release)
            (dialog.acknowledgement?.pointer).map(csip_client_destroy)
        }
        servers = [:]
        clients = [:]
        invites = [:]
        inviteIDs = [:]
        dialogs = [:]
        openings = []
        counters.refresh(csip_counts(), since: counted.counts, dialogs: -counted.dialogs)
        counted = (csip_counts(), 0)
    }
}

extension SIPHeader {
    /// Header lines as the stack takes them.
    static func lines(_ headers: [SIPHeader]) -> String {
        headers.filter(\.isWritable).map { "\($0.name): \($0.value)" }.joined(separator: "\r\n")
    }
}
