import Bus
import RPC
import Runtime
import Wire

enum StatusCommands {
    static let all: [Command] = [status, counters]

    private static let status = Command(
        CommandSpec(
            "status", "Show every service and how it is",
            discussion: "Exit status 0: all are ready; 1: one is not; 69: one cannot be reached.")
    ) { session in
        try await session.connected { connection in
            var table = TextTable(RuntimeV1.Status.headings)
            var worst = ExitStatus.success
            func show(_ item: some Presentable) throws {
                if session.output.json {
                    try session.output.line(.object(item.fields))
                } else {
                    table.append(item.row)
                }
            }
            for service in ServiceProcess.names {
                let instances = connection.membership.instances(of: service).sorted { $0.instance < $1.instance }
                if instances.isEmpty {
                    try show(UnreachableService(service: service, instance: nil))
                    worst = ExitStatus.unavailable
                }
                for instance in instances {
                    if let status = try? await connection.status(of: instance) {
                        if !status.ready { worst = max(worst, ExitStatus.failure) }
                        try show(status)
                    } else {
                        try show(UnreachableService(service: service, instance: instance.instance))
                        worst = ExitStatus.unavailable
                    }
                }
            }
            if !session.output.json { try session.output.table(table) }
            return worst
        }
    }

    private static let counters = Command.calling(
        CommandSpec(
            "counters", "Show what the services have counted",
            options: [
                .value("service", "NAME", "Only this service"), .value("instance", "NAME", "Only this instance"),
                .value("prefix", "TEXT", "Only names that start with this", mayBeEmpty: true),
            ], example: "--service calls --prefix sip_")
    ) { session, connection in
        var table = TextTable(["INSTANCE"] + RuntimeV1.Counter.headings)
        let instances = connection.instances.filter { endpoint in
            [endpoint.service, ""].contains(session.text("service"))
                && [endpoint.instance, ""].contains(session.text("instance"))
        }
        guard !instances.isEmpty else { throw Unreachable("no such instance is there") }
        var unreachable: [String] = []
        for endpoint in instances {
            let counters: [RuntimeV1.Counter]
            do {
                counters = try await connection.counters(of: endpoint, prefix: session.text("prefix"))
            } catch {
                unreachable.append(endpoint.instance)
                continue
            }
            for counter in counters {
                if session.output.json {
                    let origin: [JSONValue.Field] = [
                        .init("service", .string(endpoint.service)), .init("instance", .string(endpoint.instance)),
                    ]
                    try session.output.line(.object(origin + counter.fields))
                } else {
                    table.append([endpoint.instance] + counter.row)
                }
            }
        }
        if !session.output.json { try session.output.table(table) }
        if !unreachable.isEmpty { throw Unreachable("not reached: \(unreachable.joined(separator: ", "))") }
    }
}
