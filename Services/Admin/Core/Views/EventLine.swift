package import Wire
import WireFormat

/// One line of what happened, for people.
package enum EventLine {
    package static func text(_ call: CallsV1.Call) -> String {
        var text = "\(time(call.updated))  call       \(padded(call.state.description))"
        text += "\(call.caller?.short ?? "") -> \(call.callee?.short ?? "")"
        // It ends only with its message.
        if call.divertedToVoicemail { text += call.ended == nil ? "  to voicemail" : "  to voicemail, ended" }
        if let termination = call.termination { text += "  \(termination.reason)" }
        return TextTable.printable(text + "  \(call.id)")
    }

    package static func text(_ record: RecordsV1.CallRecord, deleted: Bool) -> String {
        var text = "\(time(record.updated))  record     \(padded(deleted ? "deleted" : record.state.description))"
        text += "\(record.direction.description) \(record.localPhoneNumber) <-> \(orWithheld(record.remotePhoneNumber))"
        if record.durationSeconds > 0 { text += "  \(record.durationSeconds) s" }
        if let voicemail = record.voicemail {
            text += "  with voicemail \(voicemail.id) of \(voicemail.durationSeconds) s"
        }
        return TextTable.printable(text + "  \(record.id)")
    }

    package static func text(_ voicemail: VoicemailV1.Voicemail, deleted: Bool) -> String {
        var text = "\(time(voicemail.updated))  voicemail  \(padded(deleted ? "deleted" : "stored"))"
        text +=
            "\(orWithheld(voicemail.remotePhoneNumber)) -> \(voicemail.localPhoneNumber)  \(voicemail.durationSeconds) s"
        return TextTable.printable(text + "  \(voicemail.id)")
    }

    private static func orWithheld(_ number: String) -> String { number.isEmpty ? "withheld" : number }

    private static func time(_ time: Timestamp?) -> String { String(time.short.suffix(8)) }

    private static func padded(_ word: String) -> String {
        word + String(repeating: " ", count: max(1, 12 - word.count))
    }
}
