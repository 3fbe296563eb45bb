import Media

// What is believed of a packet, judged by those behind it in the buffer.
extension MessageRecorder {
    /// When a packet would have come had it not been held up, in ticks.
    ///
    /// Of packets that were sent in even steps, as sequence numbers and timestamps say, the fastest counts, however many were
    /// held up together. Others count within a second and only where the next one bears them out: a single wrong timestamp
    /// must not shift the message.
    func undelayedArrival(of packet: JitterBuffer.Packet, duration: Int) -> Int {
        let clockRate = timeline.clockRate
        var least = RecordingTimeline.ticks(packet.arrival, clockRate)
        var unproven: (distance: Int, arrival: Int)?
        buffer.forEachWaiting(behind: packet) { other in
            guard case .audio = roles[other.payloadType] else { return }
            let distance = Int(Int32(bitPattern: other.timestamp &- packet.timestamp))
            let arrival = RecordingTimeline.ticks(other.arrival, clockRate) - distance
            if distance == (other.sequence - packet.sequence) * duration {
                least = min(least, arrival)
                return
            }
            if let proven = unproven, proven.distance <= distance { least = min(least, proven.arrival) }
            unproven = abs(distance) <= clockRate ? (distance, arrival) : nil
        }
        return least
    }

    /// Whether a packet's timestamp is wrong: one behind it goes on nearer to where the message is.
    func isContradicted(_ packet: JitterBuffer.Packet) -> Bool {
        guard let step = timeline.step(to: packet.timestamp, generation: packet.generation), step != 0 else {
            return false
        }
        var isContradicted = false
        buffer.forEachWaiting(behind: packet) { other in
            guard case .audio = roles[other.payloadType],
                let next = timeline.step(to: other.timestamp, generation: other.generation)
            else { return }
            if next >= 0, step < 0 || next < step { isContradicted = true }
        }
        return isContradicted
    }
}
