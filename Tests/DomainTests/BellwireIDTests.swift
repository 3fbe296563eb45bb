import Domain
import Testing

@Suite struct BellwireIDTests {
    @Test(arguments: [0, 1, 31, 63]) func carriesItsSlotAndTime(slot: Int) {
        let id = BellwireID.make(slot: slot, milliseconds: 1_700_000_000_123)
        #expect(id.slot == slot)
        #expect(id.milliseconds == 1_700_000_000_123)
    }

    @Test func isAVersion7UUIDOfTheRFCVariant() {
        let text = Array(BellwireID.make(slot: 5).description)
        #expect(text.count == 36)
        #expect(text[14] == "7")
        #expect("89ab".contains(text[19]))
    }

    @Test func survivesItsTextForm() {
        for slot in Slot.range {
            let id = BellwireID.make(slot: slot)
            #expect(BellwireID(id.description) == id)
            #expect(BellwireID(id.description.uppercased()) == id)
        }
    }

    @Test(arguments: [
        "", "0", "01890a5d-ac96-774b-bcce-b302099a805", "01890a5d_ac96-774b-bcce-b302099a8057",
        "g1890a5d-ac96-774b-bcce-b302099a8057", "01890a5d-ac96-774b-bcce-b302099a80577",
    ])
    func refusesOtherText(text: String) {
        #expect(BellwireID(text) == nil)
    }

    @Test func namesBothRecordsBeforeTheyExist() {
        let call = BellwireID.make(slot: 9)
        let caller = call.callRecordID(of: .caller)
        let callee = call.callRecordID(of: .callee)
        #expect(Set([call, caller, callee]).count == 3)
        #expect(caller.slot == 9 && callee.slot == 9)
        #expect(callee.callRecordID(of: .caller) == caller)
    }

    @Test func sortsByTime() {
        #expect(BellwireID.make(slot: 63, milliseconds: 1) < BellwireID.make(slot: 0, milliseconds: 2))
    }
}
