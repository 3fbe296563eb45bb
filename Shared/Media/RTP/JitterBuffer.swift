/// Puts RTP packets back into order: late and doubled ones are dropped, reordered ones sorted, restarts of a stream kept apart.
///
/// Each packet waits for `hold` after its arrival and leaves in the order of its sequence number. A sequence number that jumps
/// (RFC 3550 appendix A.1) begins a new *generation*, which leaves after all packets of the one before.
///
/// One source is held: packets of another SSRC wait until the held one has been quiet for `quiet`, and then begin a new
/// generation, nothing of them lost. When the held one is heard meanwhile they are dropped, so that nobody speaks into it.
/// A value: time is passed in, nothing is allocated after `init`.
public struct JitterBuffer: Sendable {
    public enum Insertion: Sendable, Equatable {
        case queued
        case duplicate
        /// Its turn is over, or a jump that the next packet has to confirm.
        case late
        /// Larger than `maximumPayloadBytes`.
        case oversized
        /// Of a source that is not listened to.
        case foreign
    }

    /// A packet in its turn.
    public struct Packet: Sendable, Equatable {
        /// Raised by one where the stream began anew.
        public var generation: Int
        /// The sequence number without wrap-around.
        public var sequence: Int
        public var timestamp: UInt32
        public var ssrc: UInt32
        public var payloadType: UInt8
        public var marker: Bool
        public var arrival: Duration
        public var payloadBytes: Int
        var slot: Int

        public var header: RTPHeader {
            RTPHeader(
                marker: marker, payloadType: payloadType, sequence: UInt16(truncatingIfNeeded: sequence),
                timestamp: timestamp, ssrc: ssrc)
        }
    }

    /// 300 ms of G.711.
    public static let maximumPayloadBytes = 2_400
    /// More than the sockets of a relay keep: what it sends in one burst when it did not run for a while.
    public static let defaultCapacity = 320
    /// A packet further behind than this is a stream that began anew rather than a late packet.
    static let maximumMisorder = 100
    /// A packet further ahead than this is a jump.
    static let maximumDropout = 3_000
    /// After so long without packets, a packet from behind is a stream that began anew.
    static let restartPause = Duration.milliseconds(500)

    private let hold: Duration
    private let quiet: Duration
    /// As much of another source may wait.
    private let maximumRivals: Int
    private var storage: [UInt8]
    private var waiting: [Packet] = []
    private var freeSlots: [Int]
    private var generation = 0
    private var held: RTPSource?
    /// Another source that began while the held one was live; its packets wait with the next generation.
    private var rival: RTPSource?
    private var droppedRivals = 0

    /// - Parameters:
    ///   - quiet: how long the held source has not been heard when another may take its place.
    ///   - capacity: packets that may wait; when they are too many the oldest leaves early.
    public init(
        hold: Duration, quiet: Duration = .milliseconds(400), capacity: Int = JitterBuffer.defaultCapacity
    ) {
        self.hold = hold
        self.quiet = quiet
        maximumRivals = capacity / 4
        // Not written, so that memory is taken only as packets need it: a slot is written before it is read.
        let bytes = capacity * Self.maximumPayloadBytes
        storage = [UInt8](unsafeUninitializedCapacity: bytes) { $1 = bytes }
        freeSlots = Array((0..<capacity).reversed())
        waiting.reserveCapacity(capacity)
    }

    public var isEmpty: Bool { waiting.isEmpty }
    public var count: Int { waiting.count }
    public var isFull: Bool { freeSlots.isEmpty }

    /// The packets that wait behind one that has left, in the order in which they will leave. Those of its generation only.
    public func forEachWaiting(behind packet: Packet, _ body: (Packet) -> Void) {
        for other in waiting where other.generation == packet.generation { body(other) }
    }

    /// Takes a packet. When the buffer is full the caller takes one out first: see `isFull`.
    public mutating func insert(_ header: RTPHeader, payload: Span<UInt8>, arrival: Duration) -> Insertion {
        guard payload.count <= Self.maximumPayloadBytes else { return .oversized }
        guard let held else {
            self.held = RTPSource(header, arrival: arrival)
            return queue(header, Int(header.sequence), generation, payload, arrival)
        }
        if held.ssrc != header.ssrc { return insert(other: header, payload: payload, arrival: arrival) }
        let place = self.held!.place(header.sequence, arrival: arrival)
        if place == .late { return .late }
        dropRival()
        switch place {
        case .at(let sequence): return queue(header, sequence, generation, payload, arrival)
        case .anew(let sequence):
            generation += 1
            return queue(header, sequence, generation, payload, arrival)
        case .late: return .late
        }
    }

    /// A packet of another source than the held one.
    private mutating func insert(other header: RTPHeader, payload: Span<UInt8>, arrival: Duration) -> Insertion {
        if rival == nil { rival = RTPSource(header, arrival: arrival) }
        guard rival?.ssrc == header.ssrc, rivalsWaiting < maximumRivals else { return .foreign }
        guard case .at(let sequence) = rival!.place(header.sequence, arrival: arrival) else { return .late }
        let insertion = queue(header, sequence, generation + 1, payload, arrival)
        adoptRival(now: arrival)
        return insertion
    }

    private mutating func queue(
        _ header: RTPHeader, _ sequence: Int, _ generation: Int, _ payload: Span<UInt8>, _ arrival: Duration
    ) -> Insertion {
        let place = waiting.lastIndex { ($0.generation, $0.sequence) <= (generation, sequence) }
        if let place, waiting[place].generation == generation, waiting[place].sequence == sequence { return .duplicate }
        guard let slot = freeSlots.popLast() else { return .late }
        for index in 0..<payload.count { storage[slot * Self.maximumPayloadBytes + index] = payload[index] }
        let packet = Packet(
            generation: generation, sequence: sequence, timestamp: header.timestamp, ssrc: header.ssrc,
            payloadType: header.payloadType, marker: header.marker, arrival: arrival, payloadBytes: payload.count,
            slot: slot)
        waiting.insert(packet, at: place.map { $0 + 1 } ?? 0)
        return .queued
    }

    /// The next packet whose time has come; nil when none has. `flushing` takes them all.
    public mutating func next(now: Duration, flushing: Bool = false) -> Packet? {
        adoptRival(now: now)
        guard let first = waiting.first, first.generation <= generation,
            flushing || isFull || now - first.arrival >= hold
        else { return nil }
        waiting.removeFirst()
        freeSlots.append(first.slot)
        if first.generation == generation { held?.released = first.sequence }
        return first
    }

    /// The payload of a packet that `next` gave, until the next insertion.
    public func withPayload<Result>(of packet: Packet, _ body: (Span<UInt8>) -> Result) -> Result {
        let start = packet.slot * Self.maximumPayloadBytes
        return body(storage.span.extracting(start..<start + packet.payloadBytes))
    }

    /// How many packets of other sources were dropped after they had waited, since the last time this was asked.
    public mutating func takeDroppedRivals() -> Int {
        defer { droppedRivals = 0 }
        return droppedRivals
    }

    private var rivalsWaiting: Int { waiting.count { $0.generation > generation } }

    /// The other source takes the held one's place once that has been quiet.
    private mutating func adoptRival(now: Duration) {
        guard let rival, let held, now - held.lastArrival >= quiet else { return }
        self.held = rival
        self.rival = nil
        generation += 1
    }

    private mutating func dropRival() {
        guard rival != nil else { return }
        rival = nil
        while let last = waiting.last, last.generation > generation {
            waiting.removeLast()
            freeSlots.append(last.slot)
            droppedRivals += 1
        }
    }
}
