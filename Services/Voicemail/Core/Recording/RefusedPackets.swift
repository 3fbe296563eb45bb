package import Observability

/// Packets of a call that were not taken up, by reason.
package struct RefusedPackets: Sendable, Equatable {
    /// From another address than the relay's.
    package var strangers = 0
    /// Of another source while the caller's was live.
    package var foreign = 0
    /// Came after their turn.
    package var late = 0
    package var oversized = 0
    /// No RTP.
    package var malformed = 0
    /// A payload type that was not agreed.
    package var unknown = 0

    package init() {}

    package static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.strangers += right.strangers
        sum.foreign += right.foreign
        sum.late += right.late
        sum.oversized += right.oversized
        sum.malformed += right.malformed
        sum.unknown += right.unknown
        return sum
    }
}

/// The process's counters of them.
package struct RefusedPacketCounters: Sendable {
    private let counter: @Sendable (String) -> Counter

    package init(_ counters: Counters) {
        counter = { counters.counter("rtp_packets_refused_total", ["reason": $0]) }
    }

    /// Once a call: the names are looked up under a lock.
    func add(_ packets: RefusedPackets) {
        for (reason, count) in [
            ("address", packets.strangers), ("source", packets.foreign), ("late", packets.late),
            ("size", packets.oversized), ("malformed", packets.malformed), ("payload_type", packets.unknown),
        ] where count > 0 {
            counter(reason).increment(by: count)
        }
    }
}
