public import Observability

/// A SIP user agent on one address over UDP and TCP: transactions, transports and the table of dialogs.
///
/// Runs the sofia-sip stack on a thread of its own. All methods may be called from anywhere; what they ask for is done on
/// that thread in the order of the calls. What names a transaction or dialog that is gone is ignored and counted in
/// `sip_stale_actions_total`: races with CANCEL and BYE are no errors.
public final class SIPEndpoint: Sendable {
    public let name = "sip"

    /// - Parameters:
    ///   - host: IPv4 address to listen on; it also stands in Via and Contact.
    ///   - port: UDP and TCP port; 0 lets the system choose, see ``port``.
    ///   - handler: held until ``stop()``.
    public init(
        host: String, port: UInt16, userAgent: String, handler: any SIPHandler, timers: SIPTimers = SIPTimers(),
        logger: Logger, counters: Counters
    ) {
        fatalError("not yet")
    }

    /// Binds the sockets and starts the thread.
    /// - Throws: ``SIPError``; ``SIPError/cannotBind(transport:host:port:reason:)`` names the address in use.
    public func start() async throws { fatalError("not yet") }

    /// Closes the sockets and joins the thread. Open calls get no farewell: end them first. No event follows.
    public func stop() async { fatalError("not yet") }

    /// The bound port; 0 before the start.
    public var port: UInt16 { fatalError("not yet") }

    /// Answers an INVITE or an in-dialog request. To an INVITE: To tag, Contact, Allow and Supported are added, a 2xx is
    /// retransmitted until its ACK, a final response other than 2xx ends the early dialog.
    public func respond(to transaction: SIPTransactionID, _ response: SIPResponse) { fatalError("not yet") }

    /// Sends a request in a dialog. Its answer comes as ``SIPEvent/response(_:)``; a dialog that is gone gives a 481.
    /// A BYE ends the dialog at once.
    @discardableResult
    public func send(_ request: OutgoingRequest, in dialog: DialogID) -> SIPTransactionID { fatalError("not yet") }

    /// Sends BYE, with a Reason header (RFC 3326) when given.
    @discardableResult
    public func sendBye(in dialog: DialogID, reason: SIPHeader? = nil) -> SIPTransactionID { fatalError("not yet") }

    /// Makes a dialog known that another process had: see ``DialogState/restored()``.
    public func adopt(_ dialog: DialogState) { fatalError("not yet") }

    /// Forgets a dialog without a word: requests in it are answered 481 from now on.
    public func forget(_ dialog: DialogID) { fatalError("not yet") }

    /// What the endpoint holds now; zeros when it does not run.
    public func statistics() async -> SIPStatistics { fatalError("not yet") }
}
