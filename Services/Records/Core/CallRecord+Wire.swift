import Domain
package import Wire
import WireFormat

extension CallRecord {
    /// - Parameter version: of the record under its row's lock.
    package func wire(version: Int64) -> RecordsV1.CallRecord {
        var wire = RecordsV1.CallRecord()
        wire.id = id.description
        wire.owner = owner.description
        wire.sudoOwner = sudoOwner?.description ?? ""
        wire.phoneNumberID = phoneNumberID?.description ?? ""
        wire.direction = RecordsV1.Direction(direction)
        wire.state = CallsV1.CallState(state)
        wire.updated = Timestamp(updated)
        wire.created = Timestamp(created)
        wire.localPhoneNumber = localPhoneNumber
        wire.remotePhoneNumber = remotePhoneNumber
        wire.durationSeconds = durationSeconds
        wire.voicemail = voicemail.map { RecordsV1.VoicemailData($0) }
        wire.callID = callID.description
        wire.accountID = accountID.description
        wire.termination = termination.map { CallsV1.Termination($0) }
        wire.version = UInt64(version)
        return wire
    }
}

extension RecordsV1.Direction {
    init(_ direction: CallDirection) {
        switch direction {
        case .inbound: self = .inbound
        case .outbound: self = .outbound
        case .unknown: self = .unknown
        }
    }
}

extension CallsV1.CallState {
    init(_ state: CallState) {
        switch state {
        case .unknown: self = .unknown
        case .authorized: self = .authorized
        case .queued: self = .queued
        case .ringing: self = .ringing
        case .answered: self = .answered
        case .completed: self = .completed
        case .unanswered: self = .unanswered
        }
    }
}

extension CallsV1.Termination {
    init(_ termination: Termination) {
        self.init()
        reason = termination.reason.rawValue
        switch termination.side {
        case .caller: side = .caller
        case .callee: side = .callee
        case .server: side = .server
        }
    }
}

extension RecordsV1.VoicemailData {
    init(_ voicemail: VoicemailReference) {
        self.init()
        id = voicemail.id.description
        durationSeconds = voicemail.durationSeconds
        var media = VoicemailV1.MediaObject()
        media.key = voicemail.media.key
        media.bucket = voicemail.media.bucket
        media.region = voicemail.media.region
        self.media = media
    }
}
