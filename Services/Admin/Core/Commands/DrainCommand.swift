import Bus
import RPC
import Runtime
import Wire

enum DrainCommand {
    static let command = Command.calling(
        CommandSpec(
            "drain", "Take an instance out of service",
            operands: [OperandSpec("INSTANCE", "Its name, as `bellwire status` shows it")],
            discussion: """
                New work goes to other instances, and the live calls of `calls` move to them at once; what cannot move has
                BELLWIRE_DRAIN_SECONDS to end. Returns once the process has ended; whoever keeps it running (bellwire up, systemd)
                starts it again.
                """,
            example: "calls-1")
    ) { session, connection in
        let name = session.operand("INSTANCE")
        guard let endpoint = connection.instances.first(where: { $0.instance == name }) else {
            throw Unreachable("no instance is called \(name)")
        }
        let before = try await connection.status(of: endpoint)
        let drain = try session.configuration.seconds(.drainSeconds, default: .seconds(10), in: 0...600)
        let started = ContinuousClock.now
        _ = try await connection.runtime.drain(
            RuntimeV1.DrainRequest(), options: CallOptions(service: endpoint.service, instance: endpoint.instance))
        while try await connection.isRunning(endpoint, process: before.processID) {
            guard ContinuousClock.now - started < drain + .seconds(5) else {
                throw CommandFailure("\(name) has not ended within \(drain.components.seconds + 5) s")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        try session.output.show(
            DrainedInstance(
                service: endpoint.service, instance: name, process: before.processID,
                milliseconds: started.duration(to: .now).milliseconds))
    }
}

extension Connection {
    /// Whether the process under that name is still the same. One that has ended has left the list of instances, has been
    /// succeeded, or does not answer.
    fileprivate func isRunning(_ endpoint: Endpoint, process: UInt32) async throws -> Bool {
        await membership.refresh()
        let isListed = membership.instances(of: endpoint.service).contains { $0.instance == endpoint.instance }
        guard isListed, let status = try? await status(of: endpoint, deadline: .milliseconds(500)) else { return false }
        return status.processID == process
    }
}

/// What `drain` shows.
struct DrainedInstance: Presentable {
    let service: String
    let instance: String
    let process: UInt32
    let milliseconds: Int64

    static var headings: [String] { ["SERVICE", "INSTANCE", "PROCESS", "ENDED AFTER"] }

    var fields: [JSONValue.Field] {
        [
            .init("service", .string(service)), .init("instance", .string(instance)),
            .init("processId", .number(process)), .init("milliseconds", .number(milliseconds)),
        ]
    }

    var row: [String] { [service, instance, "\(process)", "\(milliseconds) ms"] }
}
