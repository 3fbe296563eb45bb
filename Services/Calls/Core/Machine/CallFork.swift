package import Domain

/// The legs that are called for one call: all at once, or one after the other. Which one won, and why the others did not.
package struct CallFork: Hashable, Sendable, Codable {
    package enum Leg: Hashable, Sendable, Codable {
        /// Its turn has not come.
        case waiting
        /// Its INVITE is made; it may not be stored, or sent.
        case prepared
        case calling
        case ringing
        case answered
        case ended(TerminationReason)

        var isOpen: Bool { self == .prepared || self == .calling || self == .ringing }
    }

    /// What the failure of a leg means for the call.
    package enum Failure: Hashable, Sendable {
        /// Others still ring, or it had ended before.
        case nothing
        /// This one is to be called next.
        case next(Int)
        /// None is left.
        case exhausted(TerminationReason)
    }

    package private(set) var legs: [Leg]
    package let isSequential: Bool

    package init(legs count: Int, isSequential: Bool) {
        legs = Array(repeating: .waiting, count: count)
        self.isSequential = isSequential
    }

    package var winner: Int? { legs.firstIndex(of: .answered) }
    package var open: [Int] { legs.indices.filter { legs[$0].isOpen } }

    /// The legs to be called first.
    package mutating func start() -> [Int] {
        let first = isSequential ? Array(legs.indices.prefix(1)) : Array(legs.indices)
        for index in first { legs[index] = .prepared }
        return first
    }

    /// These are stored: those among them that are to be called now.
    package mutating func stored(_ stored: [Int]) -> [Int] {
        let ready = stored.filter { legs.indices.contains($0) && legs[$0] == .prepared }
        for index in ready { legs[index] = .calling }
        return ready
    }

    /// Whose INVITE may have got lost with the process that was about to send it.
    package var unheard: [Int] { legs.indices.filter { legs[$0] == .prepared || legs[$0] == .calling } }

    /// False when the leg is not being called any more.
    package mutating func rang(_ leg: Int) -> Bool {
        guard legs.indices.contains(leg), legs[leg].isOpen else { return false }
        legs[leg] = .ringing
        return true
    }

    /// The first answer wins: the other legs, which are to be cancelled. Nil when it comes too late.
    package mutating func answered(_ leg: Int) -> [Int]? {
        guard winner == nil, legs.indices.contains(leg), legs[leg].isOpen else { return nil }
        legs[leg] = .answered
        return close(.answeredElsewhere)
    }

    package mutating func failed(_ leg: Int, _ reason: TerminationReason) -> Failure {
        guard legs.indices.contains(leg), legs[leg].isOpen else { return .nothing }
        legs[leg] = .ended(reason)
        guard winner == nil, open.isEmpty else { return .nothing }
        if isSequential, CallFork.mayTryAnother(after: reason),
            let next = legs.firstIndex(of: .waiting)
        {
            legs[next] = .prepared
            return .next(next)
        }
        return .exhausted(isSequential ? reason : CallFork.weightiest(of: legs))
    }

    /// The winner's answer could not be used.
    package mutating func winnerEnded(_ reason: TerminationReason) {
        if let winner { legs[winner] = .ended(reason) }
    }

    /// Ends all legs but the winner; those that were being called are to be cancelled.
    package mutating func close(_ reason: TerminationReason) -> [Int] {
        let open = open
        for index in legs.indices where legs[index].isOpen || legs[index] == .waiting { legs[index] = .ended(reason) }
        return open
    }

    /// Calls the winner's leg anew: its answer was never acknowledged.
    package mutating func forgetWinner() {
        if let winner { legs[winner] = .ringing }
    }

    /// A trunk that cannot take the call is no answer to it; what the far side says is.
    private static func mayTryAnother(after reason: TerminationReason) -> Bool {
        reason == .trunkUnavailable
    }

    /// A person's word counts more than a phone's, and that more than silence.
    private static func weightiest(of legs: [Leg]) -> TerminationReason {
        let order: [TerminationReason] = [.declined, .busy, .noCommonCodec, .noAnswer, .noDevice]
        let reasons = legs.compactMap { if case .ended(let reason) = $0 { reason } else { nil } }
        return order.first(where: reasons.contains) ?? .noDevice
    }
}
