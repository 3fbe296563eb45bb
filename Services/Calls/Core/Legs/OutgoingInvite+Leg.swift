import Domain
package import SIP

extension OutgoingInvite {
    /// The INVITE for one leg of a call.
    ///
    /// - Parameters:
    ///   - host: ours, for the caller's address.
    ///   - maxForwards: what the caller's INVITE had; one less goes on, so that calls that go in circles end.
    ///   - offer: nil asks the callee for one.
    package init(to target: LegTarget, of facts: CallFacts, host: String, maxForwards: Int, offer: String?) {
        let caller = SIPAddress(facts.caller, number: target.callerNumber, host: host)
        var headers = [SIPHeader("Max-Forwards", String(maxForwards - 1))]
        var from = caller
        if facts.caller.isWithheld {
            // RFC 3323, section 4.1: nothing that is shown names the caller.
            from = SIPAddress(displayName: "Anonymous", uri: SIPURI(user: "anonymous", host: "anonymous.invalid"))
            headers.append(SIPHeader("Privacy", "id"))
        }
        if target.isTrunk {
            headers.append(SIPHeader("P-Asserted-Identity", "<\(caller.uri.text)>"))
        }
        self.init(
            target: target.uri, from: from, to: SIPAddress(uri: target.uri.withoutParameters),
            transport: target.transport, headers: headers, body: offer.map { .sdp($0) }, acknowledgesManually: true)
    }
}

extension SIPAddress {
    fileprivate init(_ caller: CallerParty, number: String, host: String) {
        guard number.isEmpty else {
            self.init(displayName: caller.displayName, uri: SIPURI(user: number, host: host))
            return
        }
        let known = caller.number ?? "anonymous"
        if let uri = SIPURI(known), known.hasPrefix("sip:") {
            self.init(displayName: caller.displayName, uri: uri)
        } else {
            let user = caller.user?.identity ?? known
            self.init(displayName: caller.displayName, uri: SIPURI(user: user, host: host))
        }
    }
}

extension SIPURI {
    fileprivate var withoutParameters: SIPURI {
        var uri = self
        uri.parameters = []
        return uri
    }
}
