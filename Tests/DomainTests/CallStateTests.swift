import Domain
import Testing

@Suite struct CallStateTests {
    /// All moves that the table of states allows; everything else is refused.
    private static let moves: [CallState: Set<CallState>] = [
        .unknown: [.authorized, .queued, .ringing, .answered, .unanswered],
        .authorized: [.queued, .ringing, .answered, .unanswered],
        .queued: [.ringing, .answered, .unanswered],
        .ringing: [.answered, .unanswered],
        .answered: [.completed],
        .completed: [],
        .unanswered: [],
    ]

    @Test(arguments: CallState.allCases) func movesOnlyDownTheTable(state: CallState) {
        for next in CallState.allCases {
            #expect(state.canMove(to: next) == CallStateTests.moves[state]!.contains(next), "\(state) to \(next)")
        }
    }

    @Test func isFinalWhereNothingFollows() {
        for state in CallState.allCases {
            #expect(state.isFinal == CallStateTests.moves[state]!.isEmpty)
        }
    }
}
