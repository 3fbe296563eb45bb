import Domain
import FoundationEssentials
import Store

/// A call as the table has it.
package struct StoredCall: Sendable {
    package var facts: CallFacts
    package var progress: CallProgress
    package var instance: String
    /// Nil once it has ended, and when this version cannot read it.
    package var continuation: CallContinuation?
    /// The INVITE as it came; only where calls are read to be gone on with.
    package var invite: [UInt8]?

    static let columns: SQL = """
        account_id, id, version, state, created, updated, ringing, answered, ended, termination_reason, \
        termination_side, diverted, caller_number, caller_withheld, caller_name, caller_account_id, caller_user_id, \
        caller_persona_id,         caller_phone_number_id, caller_identity, callee_user_id, callee_persona_id, callee_phone_number_id, \
        callee_identity, callee_number, minimum_message_seconds, instance
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
                displayName: try row.optionalString("caller_name"), user: try LocalParty(row, "caller")),
            callee: CalleeParty(
                user: try LocalParty(row, "callee"), number: try row.string("callee_number"),
                minimumMessageSeconds: UInt32(try row.int("minimum_message_seconds"))))
        instance = try row.string("instance")
    }

    /// Reads what only whoever goes on with the call needs.
    mutating func readContinuation(_ row: Row) throws {
        invite = try row.optionalBytes("invite")
        continuation = try row.optionalString("continuation").flatMap {
            try? JSONDecoder().decode(CallContinuation.self, from: Data($0.utf8))
        }
    }
}

extension LocalParty {
    /// Nil when that side is no user of ours.
    fileprivate init?(_ row: Row, _ side: String) throws {
        guard let user = try row.optionalString("\(side)_user_id") else { return nil }
        self.init(
            accountID: try row.optionalString(side == "caller" ? "caller_account_id" : "account_id") ?? "",
            userID: user,
            identity: try row.optionalString("\(side)_identity") ?? "",
            personaID: try row.optionalString("\(side)_persona_id") ?? "",
            phoneNumberID: try row.optionalString("\(side)_phone_number_id") ?? "")
    }
}

extension Moment {
    init(_ time: StoreTime) {
        self.init(microseconds: time.microseconds)
    }

    var storeTime: StoreTime { StoreTime(microseconds: microseconds) }
}
