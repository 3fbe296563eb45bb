package import Domain
package import Wire

/// All that is needed to finish a recording without the process that made it: kept beside its audio.
package struct LiveRecording: Sendable, Equatable, Codable {
    /// The voicemail's id.
    package var id: String
    package var epoch: Int64
    package var instance: String
    /// Microseconds since 1970.
    package var created: Int64
    /// In Hz.
    package var sampleRate: Int
    package var minimumSeconds: Int
    package var owner: String
    package var accountID: String
    package var callID: String
    package var sudoOwner: String?
    package var phoneNumberID: String?
    package var callRecordID: String?
    package var localPhoneNumber: String
    package var remotePhoneNumber: String
    package var displayName: String

    /// The longest display name that is kept, in characters; longer ones are cut.
    package static let maximumNameLength = 128

    /// Nil when the request does not say whose message it is to be.
    package init?(
        _ request: VoicemailV1.TakeCallRequest, id: BellwireID, epoch: Int64, instance: String, created: Int64,
        sampleRate: Int
    ) {
        guard let owner = BellwireID(request.owner), let account = BellwireID(request.accountID),
            let call = BellwireID(request.callID)
        else { return nil }
        self.id = id.description
        self.epoch = epoch
        self.instance = instance
        self.created = created
        self.sampleRate = sampleRate
        self.owner = owner.description
        accountID = account.description
        callID = call.description
        // The minimum is the whole message's.
        minimumSeconds = request.continues ? 0 : Int(request.minimumMessageSeconds)
        // What is no id is left out rather than lose the message.
        sudoOwner = BellwireID(request.sudoOwner)?.description
        phoneNumberID = BellwireID(request.phoneNumberID)?.description
        callRecordID = BellwireID(request.callRecordID)?.description
        localPhoneNumber = Self.storable(request.localPhoneNumber)
        remotePhoneNumber = Self.storable(request.remotePhoneNumber)
        displayName = Self.storable(request.displayName)
    }

    /// PostgreSQL keeps no NUL.
    private static func storable(_ text: String) -> String {
        let scalars = text.unicodeScalars.filter { $0 != "\0" }
        return String(String(String.UnicodeScalarView(scalars)).prefix(maximumNameLength))
    }

    package var slot: Int { BellwireID(id)?.slot ?? 0 }

    /// The key of the finished audio. Spread over folders by the id's last, random digits.
    package var mediaKey: String { "messages/\(id.suffix(4).prefix(2))/\(id).wav" }
}
