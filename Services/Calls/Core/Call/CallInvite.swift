import Media
package import SIP

/// What an INVITE asks for.
package struct CallInvite: Sendable {
    /// As dialled: the number in the Request-URI, else its user part.
    package let dialled: String
    package let caller: CallerIdentity
    package let audio: OfferedAudio
    /// The message as it came.
    package let rawMessage: [UInt8]
    /// The user part of From.
    package let fromUser: String
    /// The number that the caller wants to be seen with; empty: none in particular.
    package let claimedNumber: String
    /// Where it came from.
    package let source: SIPPeer
    package let maxForwards: Int

    package init(
        dialled: String, caller: CallerIdentity, audio: OfferedAudio, rawMessage: [UInt8], fromUser: String = "",
        claimedNumber: String = "", source: SIPPeer = SIPPeer(transport: .udp, host: "", port: 0), maxForwards: Int = 70
    ) {
        self.dialled = dialled
        self.caller = caller
        self.audio = audio
        self.rawMessage = rawMessage
        self.fromUser = fromUser
        self.claimedNumber = claimedNumber
        self.source = source
        self.maxForwards = maxForwards
    }

    init(_ invite: IncomingInvite) {
        self.init(
            dialled: invite.requestURI.number ?? invite.requestURI.user ?? "", caller: invite.caller,
            audio: OfferedAudio(invite.body), rawMessage: invite.rawMessage, fromUser: invite.from.uri.user ?? "",
            claimedNumber: invite.caller.asserted.first?.uri.number ?? invite.from.uri.number ?? "",
            source: invite.source, maxForwards: invite.maxForwards)
    }
}
