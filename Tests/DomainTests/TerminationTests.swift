import Domain
import Testing

@Suite struct TerminationTests {
    @Test func everyReasonThatCallersCanHearBeforeAnAnswerHasAnErrorStatus() {
        for reason in TerminationReason.allCases {
            #expect((400...699).contains(reason.sipStatus), "\(reason)")
        }
    }

    @Test(arguments: [
        (TerminationReason.noAnswer, 480, 31480, EndCause.noAnswer), (.declined, 603, 31603, .denied),
        (.busy, 486, 31486, .denied), (.callerCancelled, 487, 31008, .canceled), (.numberUnknown, 404, 31404, .error),
        (.numberInvalid, 484, 13224, .error), (.noCommonCodec, 488, 53404, .error),
    ])
    func isToldDistinctly(reason: TerminationReason, status: Int, code: Int, cause: EndCause) {
        #expect(reason.sipStatus == status)
        #expect(reason.clientCode == code)
        #expect(reason.endCause == cause)
    }

    @Test func refusalsBeforeTheChecksLeaveNoRecord() {
        let without = TerminationReason.allCases.filter { $0.record == RecordOutcome.none }
        #expect(
            Set(without) == [
                .numberUnknown, .numberInvalid, .emergencyNotRouted, .callerIdNotOwned, .notAllowed, .noCredit,
                .overCapacity,
            ])
    }

    @Test func onlyALegIsAnsweredElsewhere() {
        #expect(TerminationReason.allCases.filter { $0.record == nil } == [.answeredElsewhere])
        #expect(TerminationReason.answeredElsewhere.sip == .cancel(reasonStatus: 200))
    }
}
