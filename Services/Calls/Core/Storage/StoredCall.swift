import Domain
import FoundationEssentials
package import SIP
import Store

/// A call as the table has it.
package struct StoredCall: Sendable {
    package var facts: CallFacts
    package var progress: CallProgress
    package var instance: String
    package var dialog: DialogState?
    package var isDialogConfirmed: Bool
    /// The INVITE as it came; only where calls are read to be gone on with.
    package var invite: [UInt8]?

    static let columns: SQL = """
        account_id, id, version, state, created, updated, ringing, answered, ended, termination_reason, \
        termination_side, diverted, caller_number, caller_withheld, caller_name, callee_user_id, callee_persona_id, \
        callee_phone_number_id, callee_identity, callee_number, minimum_message_seconds, instance, \
        dialog::text AS dialog, dialog_confirmed
        """

    init(_ row: Row) throws {
        var progress = CallProgress(created: Moment(try row.time("created")))
        progress.state = try row.value("state")
        progress.version = UInt64(try row.int64("version"))
        progress.updated = Moment(try row.time("updated"))
        progress.ringing = try row.optionalTime("ringing").map(Moment.init)
        progress.answered = try row.optionalTime("answered").map(Moment.init)
        progress.ended = try row.optionalTime("ended").map(Moment.init)
        progress.divertedToVoicemail = try row.bool("diverted")
        if let reason = try row.optionalString("termination_reason").flatMap(TerminationReason.init(rawValue:)) {
            progress.termination = Termination(reason, by: try row.value("termination_side"))
        }
        self.progress = progress
        facts = CallFacts(
            id: try row.id("id"),
            caller: CallerParty(
                number: try row.optionalString("caller_number"), isWithheld: try row.bool("caller_withheld"),
                displayName: try row.optionalString("caller_name")),
            callee: CalleeParty(
                accountID: try row.string("account_id"), userID: try row.string("callee_user_id"),
                identity: try row.string("callee_identity"),
                personaID: try row.optionalString("callee_persona_id") ?? "",
                phoneNumberID: try row.optionalString("callee_phone_number_id") ?? "",
                number: try row.string("callee_number"),
                minimumMessageSeconds: UInt32(try row.int("minimum_message_seconds"))))
        instance = try row.string("instance")
        // A dialog that this version cannot read any more is none: the call is closed without a BYE.
        dialog = try row.optionalString("dialog").flatMap {
            try? JSONDecoder().decode(DialogState.self, from: Data($0.utf8))
        }
        isDialogConfirmed = try row.bool("dialog_confirmed")
    }
}

extension Moment {
    init(_ time: StoreTime) {
        self.init(microseconds: time.microseconds)
    }

    var storeTime: StoreTime { StoreTime(microseconds: microseconds) }
}
