import Domain
import Store

/// What the live path tells of a batch that has come into the log: how far the log reaches with it, and the events
/// themselves where they are small, so that whoever has all before them need not read the log.
///
///      bytes  0..7   first position
///            8..15   last position
///     and with events:
///           16..31   the log's incarnation
///     and for each event, from the first position on: version and creation time (8 bytes each), then topic, key, owner,
///     type and payload, each behind its length in 4 bytes. All numbers big-endian.
package struct LiveBatch: Sendable, Equatable {
    /// With more than so much payload in all the events are left out.
    static let payloadBytes = 32 << 10

    package let first: UInt64
    package let last: UInt64
    /// All of the batch, in order, or none.
    package let events: [LoggedEvent]

    package init(first: UInt64, last: UInt64, events: [LoggedEvent] = []) {
        self.first = first
        self.last = last
        self.events = events
    }

    package var message: [UInt8] {
        var message: [UInt8] = []
        message.reserveCapacity(32 + events.reduce(0) { $0 + 200 + $1.payload.count })
        func append(_ number: UInt64) { withUnsafeBytes(of: number.bigEndian) { message.append(contentsOf: $0) } }
        func append(_ bytes: some Collection<UInt8>) {
            withUnsafeBytes(of: UInt32(bytes.count).bigEndian) { message.append(contentsOf: $0) }
            message.append(contentsOf: bytes)
        }
        append(first)
        append(last)
        guard let incarnation = events.first?.incarnation else { return message }
        append(incarnation.high)
        append(incarnation.low)
        for event in events {
            append(UInt64(bitPattern: event.version))
            append(UInt64(bitPattern: event.created.microseconds))
            append(event.topic.utf8)
            append(event.key.utf8)
            append(event.owner.utf8)
            append(event.type.utf8)
            append(event.payload)
        }
        return message
    }

    /// Nil: garbage.
    package init?(_ message: [UInt8]) {
        var reader = Reader(message)
        guard let first = reader.number(), let last = reader.number(), first <= last else { return nil }
        self.first = first
        self.last = last
        guard !reader.isAtEnd else {
            events = []
            return
        }
        guard let high = reader.number(), let low = reader.number() else { return nil }
        let incarnation = BellwireID(high: high, low: low)
        var events: [LoggedEvent] = []
        while !reader.isAtEnd {
            guard let version = reader.number(), let created = reader.number(), let topic = reader.text(),
                let key = reader.text(), let owner = reader.text(), let type = reader.text(),
                let payload = reader.bytes()
            else { return nil }
            events.append(
                LoggedEvent(
                    incarnation: incarnation, position: first &+ UInt64(events.count), topic: topic, key: key,
                    version: Int64(bitPattern: version), owner: owner, type: type, payload: payload,
                    created: StoreTime(microseconds: Int64(bitPattern: created))))
        }
        guard events.last?.position == last else { return nil }
        self.events = events
    }

    private struct Reader {
        private var rest: ArraySlice<UInt8>

        init(_ message: [UInt8]) { rest = message[...] }

        var isAtEnd: Bool { rest.isEmpty }

        private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }

        mutating func number() -> UInt64? { take(8)?.reduce(0) { $0 << 8 | UInt64($1) } }

        private mutating func slice() -> ArraySlice<UInt8>? {
            guard let length = take(4)?.reduce(0, { $0 << 8 | Int($1) }) else { return nil }
            return take(length)
        }

        mutating func bytes() -> [UInt8]? { slice().map { Array($0) } }

        mutating func text() -> String? { slice().flatMap { String(validating: $0, as: UTF8.self) } }
    }
}
