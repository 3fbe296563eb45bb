/// Puts RTP packets back into order: late and doubled ones are dropped, reordered ones sorted, restarts of a stream kept apart.
///
/// Each packet waits for `hold` after its arrival and leaves in the order of its sequence number. A new SSRC, or a sequence
/// number that jumps (RFC 3550 appendix A.1), begins a new *generation*, which leaves after all packets of the one before.
/// A value: time is passed in, nothing is allocated after `init`.
public struct JitterBuffer: Sendable {
    public enum Insertion: Sendable, Equatable {
        case queued
        case duplicate
        /// Its turn is over, or a jump that the next packet has to confirm.
        case late
        /// Larger than `maximumPayloadBytes`.
        case oversized
    }

    /// A packet in its turn.
    public struct Packet: Sendable, Equatable {
        /// Raised by one where the stream began anew.
        public var generation: Int
        /// The sequence number without wrap-around.
        public var sequence: Int
        public var timestamp: UInt32
        public var payloadType: UInt8
        public var marker: Bool
        public var arrival: Duration
        public var payloadBytes: Int
        var slot: Int
    }

    public static let maximumPayloadBytes = 1_500
    /// A packet further behind than this is a stream that began anew rather than a late packet.
    static let maximumMisorder = 100
    /// A packet further ahead than this is a jump.
    static let maximumDropout = 3_000
    /// After so long without packets, a packet from behind is a stream that began anew.
    static let restartPause = Duration.milliseconds(500)

    private let hold: Duration
    private var storage: [UInt8]
    private var waiting: [Packet] = []
    private var freeSlots: [Int]
    private var generation = 0
    private var ssrc: UInt32?
    private var highest = 0
    /// The sequence number of the newest packet that has left, in the present generation.
    private var released: Int?
    private var suspect: UInt16?
    private var lastArrival = Duration.zero

    /// - Parameter capacity: packets that may wait; when they are too many the oldest leaves early.
    public init(hold: Duration, capacity: Int = 64) {
        self.hold = hold
        storage = [UInt8](repeating: 0, count: capacity * Self.maximumPayloadBytes)
        freeSlots = Array(0..<capacity)
        waiting.reserveCapacity(capacity)
    }

    public var isEmpty: Bool { waiting.isEmpty }
    public var count: Int { waiting.count }
    public var isFull: Bool { freeSlots.isEmpty }

    /// The packets that wait, in the order in which they will leave.
    public func forEachWaiting(_ body: (Packet) -> Void) {
        for packet in waiting { body(packet) }
    }

    /// Takes a packet. When the buffer is full the caller takes one out first: see `isFull`.
    public mutating func insert(
        _ header: RTPHeader, payload: Span<UInt8>, arrival: Duration
    ) -> Insertion {
        guard payload.count <= Self.maximumPayloadBytes else { return .oversized }
        guard let sequence = extend(header, arrival: arrival) else { return .late }
        lastArrival = arrival
        let place = waiting.lastIndex { $0.generation < generation || $0.sequence <= sequence }
        if let place, waiting[place].generation == generation, waiting[place].sequence == sequence { return .duplicate }
        guard let slot = freeSlots.popLast() else { return .late }
        for index in 0..<payload.count { storage[slot * Self.maximumPayloadBytes + index] = payload[index] }
        let packet = Packet(
            generation: generation, sequence: sequence, timestamp: header.timestamp, payloadType: header.payloadType,
            marker: header.marker, arrival: arrival, payloadBytes: payload.count, slot: slot)
        waiting.insert(packet, at: place.map { $0 + 1 } ?? 0)
        return .queued
    }

    /// The next packet whose time has come; nil when none has. `flushing` takes them all.
    public mutating func next(now: Duration, flushing: Bool = false) -> Packet? {
        guard let first = waiting.first, flushing || isFull || now - first.arrival >= hold else { return nil }
        waiting.removeFirst()
        freeSlots.append(first.slot)
        if first.generation == generation { released = first.sequence }
        return first
    }

    /// The payload of a packet that `next` gave, until the next insertion.
    public func withPayload<Result>(of packet: Packet, _ body: (Span<UInt8>) -> Result) -> Result {
        let start = packet.slot * Self.maximumPayloadBytes
        return body(storage.span.extracting(start..<start + packet.payloadBytes))
    }

    /// The sequence number without wrap-around; nil when the packet is too late or not yet believed.
    private mutating func extend(_ header: RTPHeader, arrival: Duration) -> Int? {
        guard ssrc == header.ssrc else {
            let isFirst = ssrc == nil
            ssrc = header.ssrc
            if !isFirst { generation += 1 }
            return restart(at: header.sequence)
        }
        let delta = Int(Int16(bitPattern: header.sequence &- UInt16(truncatingIfNeeded: highest)))
        let sequence = highest + delta
        if delta > 0, delta < Self.maximumDropout {
            highest = sequence
            suspect = nil
            return sequence
        }
        let isNearPast = delta <= 0 && delta > -Self.maximumMisorder
        if isNearPast, arrival - lastArrival < Self.restartPause || delta == 0 {
            if let released, sequence <= released { return nil }
            return sequence
        }
        // A jump: two packets in a row confirm it, and so does a pause.
        if suspect == header.sequence || arrival - lastArrival >= Self.restartPause {
            generation += 1
            return restart(at: header.sequence)
        }
        suspect = header.sequence &+ 1
        return nil
    }

    private mutating func restart(at sequence: UInt16) -> Int {
        highest = Int(sequence)
        released = nil
        suspect = nil
        return highest
    }
}
