package import Wire
import WireFormat

extension RuntimeV1.Status: Presentable {
    package static var headings: [String] {
        ["SERVICE", "INSTANCE", "STATE", "PROCESS", "STARTED", "SLOTS", "WAITS FOR"]
    }

    var state: String {
        if draining { return "draining" }
        return ready ? "ready" : live ? "not ready" : "not live"
    }

    package var fields: [JSONValue.Field] {
        [
            .init("service", .string(service)), .init("instance", .string(instance)),
            .init("version", .string(version)),
            .init("processId", .number(processID)), .init("started", .time(started)), .init("reachable", .bool(true)),
            .init("live", .bool(live)), .init("ready", .bool(ready)), .init("draining", .bool(draining)),
            .init(
                "dependencies",
                .array(
                    dependencies.map { dependency in
                        .object([
                            .init("name", .string(dependency.name)), .init("ready", .bool(dependency.ready)),
                            .init("detail", .string(dependency.detail)),
                        ])
                    })),
            .init("slots", .array(slots.map { .number($0) })),
        ]
    }

    package var row: [String] {
        [
            service, instance, state, "\(processID)", started.short, slots.isEmpty ? "" : "\(slots.count)",
            dependencies.filter { !$0.ready }.map(\.name).joined(separator: ", "),
        ]
    }
}

/// A service without an instance that answers.
package struct UnreachableService: Presentable {
    let service: String
    /// Nil: none is registered.
    let instance: String?

    package static var headings: [String] { RuntimeV1.Status.headings }

    package var fields: [JSONValue.Field] {
        [
            .init("service", .string(service)), .init("instance", .textOrNull(instance)),
            .init("reachable", .bool(false)),
            .init("ready", .bool(false)),
        ]
    }

    package var row: [String] { [service, instance ?? "", "unreachable", "", "", "", ""] }
}

extension RuntimeV1.Counter: Presentable {
    package static var headings: [String] { ["NAME", "LABELS", "VALUE"] }

    private var sortedLabels: [(key: String, value: String)] { labels.sorted { $0.key < $1.key } }

    package var fields: [JSONValue.Field] {
        [
            .init("name", .string(name)),
            .init("labels", .object(sortedLabels.map { .init($0.key, .string($0.value)) })),
            .init("value", .integer(value)), .init("gauge", .bool(gauge)),
        ]
    }

    package var row: [String] {
        [name, sortedLabels.map { "\($0.key)=\($0.value)" }.joined(separator: " "), "\(value)"]
    }
}
