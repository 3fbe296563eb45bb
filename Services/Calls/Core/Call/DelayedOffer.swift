import SIP

/// A call whose INVITE makes no offer: ours goes out with the 200, and the caller answers in its ACK (RFC 3261, section 13.2.1).
package enum DelayedOffer {
    private static let beginning = "v=0\r\no=delayed-offer 0 0 IN IP4 "

    /// Stands for the caller's description until its ACK brings the real one: the codecs that every phone has, at the discard
    /// port.
    package static func standIn(host: String) -> String {
        """
        \(beginning)\(host)\r
        s=-\r
        c=IN IP4 \(host)\r
        t=0 0\r
        m=audio 9 RTP/AVP 0 8 101\r
        a=rtpmap:0 PCMU/8000\r
        a=rtpmap:8 PCMA/8000\r
        a=rtpmap:101 telephone-event/8000\r
        a=fmtp:101 0-15\r
        a=sendrecv\r

        """
    }

    package static func isStandIn(_ description: String?) -> Bool { description?.hasPrefix(beginning) ?? false }
}
