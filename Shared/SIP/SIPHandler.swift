/// Receives what happens on the wire.
public protocol SIPHandler: Sendable {
    /// Called on the SIP thread: must not block. Calling the endpoint's methods from here is fine.
    func handle(_ event: SIPEvent, on endpoint: SIPEndpoint)
}
