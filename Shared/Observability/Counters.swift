import Synchronization

/// The process's counters and gauges, by name and labels. Labels are bounded sets of words: reasons, methods, never ids.
public final class Counters: Sendable {
    private struct Key: Hashable {
        let name: String
        let labels: [String: String]
    }

    private struct Table {
        var counters: [Key: Counter] = [:]
        var gauges: [Key: Gauge] = [:]
    }

    private let table = Mutex(Table())

    public init() {}

    /// The counter of that name and those labels; made at first use. Keep it: looking it up takes a lock.
    public func counter(_ name: String, _ labels: [String: String] = [:]) -> Counter {
        table.withLock { table in
            let key = Key(name: name, labels: labels)
            if let counter = table.counters[key] { return counter }
            let counter = Counter()
            table.counters[key] = counter
            return counter
        }
    }

    /// The gauge of that name and those labels; made at first use.
    public func gauge(_ name: String, _ labels: [String: String] = [:]) -> Gauge {
        table.withLock { table in
            let key = Key(name: name, labels: labels)
            if let gauge = table.gauges[key] { return gauge }
            let gauge = Gauge()
            table.gauges[key] = gauge
            return gauge
        }
    }

    /// All of them, by name and labels.
    public func snapshot() -> [CounterSample] {
        let samples = table.withLock { table in
            table.counters.map { CounterSample(name: $0.name, labels: $0.labels, value: $1.value, isGauge: false) }
                + table.gauges.map { CounterSample(name: $0.name, labels: $0.labels, value: $1.value, isGauge: true) }
        }
        return samples.sorted { ($0.name, $0.labelText) < ($1.name, $1.labelText) }
    }
}

/// Only rises.
public final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    public func increment(by amount: Int = 1) {
        count.wrappingAdd(amount, ordering: .relaxed)
    }

    public var value: Int { count.load(ordering: .relaxed) }
}

/// Rises and falls.
public final class Gauge: Sendable {
    private let level = Atomic<Int>(0)

    public func set(_ value: Int) {
        level.store(value, ordering: .relaxed)
    }

    public func add(_ amount: Int) {
        level.wrappingAdd(amount, ordering: .relaxed)
    }

    public var value: Int { level.load(ordering: .relaxed) }
}

/// What a counter or gauge showed at one moment.
public struct CounterSample: Sendable, Equatable {
    public let name: String
    public let labels: [String: String]
    public let value: Int
    public let isGauge: Bool

    public init(name: String, labels: [String: String], value: Int, isGauge: Bool) {
        self.name = name
        self.labels = labels
        self.value = value
        self.isGauge = isGauge
    }

    fileprivate var labelText: String {
        labels.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
    }
}
