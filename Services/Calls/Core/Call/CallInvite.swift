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

    package init(dialled: String, caller: CallerIdentity, audio: OfferedAudio, rawMessage: [UInt8]) {
        self.dialled = dialled
        self.caller = caller
        self.audio = audio
        self.rawMessage = rawMessage
    }

    init(_ invite: IncomingInvite) {
        self.init(
            dialled: invite.requestURI.number ?? invite.requestURI.user ?? "", caller: invite.caller,
            audio: OfferedAudio(invite.body), rawMessage: invite.rawMessage)
    }
}
