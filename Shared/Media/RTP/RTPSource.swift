/// The sequence numbers of one synchronisation source, without their wrap-around (RFC 3550 appendix A.1).
struct RTPSource: Sendable {
    enum Place: Sendable, Equatable {
        case at(Int)
        /// The stream began anew: its numbers have nothing to do with those before.
        case anew(Int)
        /// Its turn is over, or a jump that the next packet has to confirm.
        case late
    }

    let ssrc: UInt32
    private(set) var highest: Int
    /// The number of the newest packet that has left.
    var released: Int?
    private var suspect: UInt16?
    private(set) var lastArrival: Duration

    /// Begins with a packet.
    init(_ header: RTPHeader, arrival: Duration) {
        ssrc = header.ssrc
        highest = Int(header.sequence)
        lastArrival = arrival
    }

    /// Where the next packet to come belongs.
    mutating func place(_ sequence: UInt16, arrival: Duration) -> Place {
        let pause = arrival - lastArrival
        let delta = Int(Int16(bitPattern: sequence &- UInt16(truncatingIfNeeded: highest)))
        let extended = highest + delta
        if delta > 0, delta < JitterBuffer.maximumDropout {
            highest = extended
            suspect = nil
            lastArrival = arrival
            return .at(extended)
        }
        let isNearPast = delta <= 0 && delta > -JitterBuffer.maximumMisorder
        if isNearPast, pause < JitterBuffer.restartPause || delta == 0 {
            if let released, extended <= released { return .late }
            lastArrival = arrival
            return .at(extended)
        }
        // A jump: two packets in a row confirm it, and so does a pause.
        guard suspect == sequence || pause >= JitterBuffer.restartPause else {
            suspect = sequence &+ 1
            return .late
        }
        highest = Int(sequence)
        released = nil
        suspect = nil
        lastArrival = arrival
        return .anew(highest)
    }
}
