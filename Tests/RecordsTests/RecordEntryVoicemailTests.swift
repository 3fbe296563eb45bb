import Domain
import RecordsCore
import Store
import Testing

@Suite struct RecordEntryVoicemailTests {
    @Test("The voicemail is attached whether it is known before the record, during the call or after")
    func everyInterleaving() {
        var call = CallScript()
        let views = [
            call.view(.callee, .authorized), call.view(.callee, .ringing),
            call.view(.callee, .unanswered, because: Termination(.noAnswer, by: .server)),
        ]
        let voicemail = call.voicemail(version: 1)
        for position in 0...views.count {
            var entry = call.entry(of: .callee)
            for (index, view) in views.enumerated() {
                if index == position { entry.apply(voicemail) }
                entry.apply(view)
            }
            if position == views.count { entry.apply(voicemail) }
            #expect(entry.record?.voicemail?.id == voicemail.id, "voicemail before view \(position)")
            #expect(entry.record?.state == .unanswered)
            // Before the record exists it costs no version of its own.
            #expect(entry.version == (position == 0 ? 3 : 4))
        }
    }

    @Test("A voicemail alone is no record")
    func voicemailOnly() {
        let call = CallScript()
        var entry = call.entry(of: .callee)
        entry.apply(call.voicemail(version: 1))
        #expect(entry.record == nil)
        #expect(entry.version == 0)
        #expect(entry.delete() == nil)
    }

    @Test("Deleting the voicemail clears it, also when the deletion comes first or twice")
    func deletion() {
        var call = CallScript()
        let view = call.view(.callee, .unanswered, because: Termination(.noAnswer, by: .server))
        let left = call.voicemail(version: 1)
        let deleted = call.voicemail(version: 2, isAttached: false)
        for order in [[left, deleted], [left, deleted, left], [deleted, left], [left, left, deleted, deleted]] {
            var after = call.entry(of: .callee)
            after.apply(view)
            for event in order { after.apply(event) }
            #expect(after.record?.voicemail == nil)
            var before = call.entry(of: .callee)
            for event in order { before.apply(event) }
            before.apply(view)
            #expect(before.record?.voicemail == nil)
            #expect(before.version == 1)
        }
    }

    @Test("A repeated voicemail makes no new version; a longer one does")
    func repeated() {
        var call = CallScript()
        var entry = call.entry(of: .callee)
        entry.apply(call.view(.callee, .unanswered, because: Termination(.noAnswer, by: .server)))
        entry.apply(call.voicemail(version: 1))
        entry.apply(call.voicemail(version: 1))
        #expect(entry.version == 2)
        entry.apply(call.voicemail(version: 2))
        #expect(entry.version == 2)
        entry.apply(call.voicemail(version: 3, seconds: 9))
        #expect(entry.version == 3)
        #expect(entry.record?.voicemail?.durationSeconds == 9)
    }

    @Test("Of two messages in one call the newer is shown, and the older when that is deleted")
    func twoMessages() {
        var call = CallScript()
        let first = call.voicemail(version: 1)
        let second = call.voicemail(id: BellwireID.make(milliseconds: first.id.milliseconds + 1000), version: 1)
        var entry = call.entry(of: .callee)
        entry.apply(call.view(.callee, .unanswered, because: Termination(.noAnswer, by: .server)))
        entry.apply(second)
        entry.apply(first)
        #expect(entry.record?.voicemail?.id == second.id)
        entry.apply(call.voicemail(id: second.id, version: 2, isAttached: false))
        #expect(entry.record?.voicemail?.id == first.id)
    }

    @Test("A deleted record stays deleted, whatever comes late")
    func deletedStaysDeleted() {
        var call = CallScript()
        var entry = call.entry(of: .callee)
        entry.apply(call.view(.callee, .ringing))
        let last = entry.delete()
        #expect(last?.state == .ringing)
        #expect(entry.version == 2)
        let gone = entry
        entry.apply(call.view(.callee, .unanswered, because: Termination(.noAnswer, by: .server)))
        entry.apply(call.voicemail(version: 1))
        #expect(entry == gone)
        #expect(entry.delete() == nil)
    }
}
