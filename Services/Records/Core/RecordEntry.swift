package import Domain
import Store

/// All that is known under one record id: the reducer of call events, voicemail events and deletion.
///
/// Calls and voicemails come from different partitions of the event log, each in its own order, each perhaps more than
/// once. Whatever the interleaving, the outcome is the same. A change that an owner can see raises `version`; nothing else
/// does.
package struct RecordEntry: Sendable, Equatable {
    package let owner: BellwireID
    package let id: BellwireID
    /// Nil until the call is known, and once deleted.
    package private(set) var record: CallRecord?
    package private(set) var isDeleted: Bool
    /// The version of the call that was applied last; 0 before the first.
    package private(set) var callVersion: Int64
    package private(set) var version: Int64
    /// Also what came before the record did.
    package private(set) var voicemails: [VoicemailReference]

    package init(
        owner: BellwireID, id: BellwireID, record: CallRecord? = nil, isDeleted: Bool = false, callVersion: Int64 = 0,
        version: Int64 = 0, voicemails: [VoicemailReference] = []
    ) {
        self.owner = owner
        self.id = id
        self.record = record
        self.isDeleted = isDeleted
        self.callVersion = callVersion
        self.version = version
        self.voicemails = voicemails
    }

    /// A call has changed. A version that is already known changes nothing.
    package mutating func apply(_ view: CallView) {
        guard !isDeleted, view.version > callVersion else { return }
        callVersion = view.version
        guard let known = record else {
            if view.leavesRecord { show(CallRecord(view, id: id, voicemail: shownVoicemail)) }
            return
        }
        var next = known
        next.advance(to: view)
        guard next != known else { return }
        next.updated = max(known.updated, view.updated)
        show(next)
    }

    /// A voicemail was left, changed or deleted.
    package mutating func apply(_ voicemail: VoicemailReference) {
        guard !isDeleted else { return }
        if let index = voicemails.firstIndex(where: { $0.id == voicemail.id }) {
            guard voicemail.version > voicemails[index].version else { return }
            voicemails[index] = voicemail
        } else {
            voicemails.append(voicemail)
        }
        guard let known = record, !known.shows(shownVoicemail) else { return }
        var next = known
        next.voicemail = shownVoicemail
        next.updated = max(known.updated, voicemail.updated)
        show(next)
    }

    /// The owner deletes the record: gone for good, whatever comes later.
    ///
    /// - Returns: the record as it was last; nil when there is none.
    package mutating func delete() -> CallRecord? {
        guard let last = record else { return nil }
        record = nil
        isDeleted = true
        voicemails = []
        version += 1
        return last
    }

    /// The newest one: a call that was taken anew after a voicemail instance died may have left two.
    private var shownVoicemail: VoicemailReference? {
        voicemails.filter(\.isAttached).max { $0.id < $1.id }
    }

    private mutating func show(_ next: CallRecord) {
        record = next
        version += 1
    }
}

extension CallRecord {
    fileprivate init(_ view: CallView, id: BellwireID, voicemail: VoicemailReference?) {
        self.init(
            id: id, owner: view.owner, accountID: view.accountID, callID: view.callID, sudoOwner: view.sudoOwner,
            phoneNumberID: view.phoneNumberID, direction: view.direction, localPhoneNumber: view.localPhoneNumber,
            remotePhoneNumber: view.remotePhoneNumber, created: view.created, updated: view.updated,
            state: .unknown, voicemail: voicemail)
        advance(to: view)
    }

    /// Moves down the states, never up. How the call ended is set once.
    fileprivate mutating func advance(to view: CallView) {
        if state.canMove(to: view.state) || canComplete(with: view) {
            state = view.state
            if state == .completed { durationSeconds = view.talkSeconds }
        } else if !view.leavesRecord, view.termination != nil, !state.isFinal {
            // Refused after all: the record that stands is closed, never left open.
            state = state == .answered ? .completed : .unanswered
            if state == .completed { durationSeconds = view.talkSeconds }
        }
        if state.isFinal, termination == nil { termination = view.termination }
    }

    /// A completed call was answered, whether that version of it was seen or not.
    private func canComplete(with view: CallView) -> Bool {
        view.state == .completed && !state.isFinal && (view.answered != nil || state == .unknown)
    }

    fileprivate func shows(_ other: VoicemailReference?) -> Bool {
        voicemail?.id == other?.id && voicemail?.durationSeconds == other?.durationSeconds
            && voicemail?.media == other?.media
    }
}
