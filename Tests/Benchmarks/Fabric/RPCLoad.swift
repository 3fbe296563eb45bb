import Glibc
import Observability
import RPC
import ZeroMQ

/// Calls over the generated stubs, with everything that a service's calls have: deadline, trace, limits, counters.
enum RPCLoad {
    private struct Service: FabricV1.FabricService {
        func echo(_ request: FabricV1.Note, context: CallContext) async throws -> FabricV1.Note { request }

        func flow(
            _ request: FabricV1.FlowRequest, responses: ResponseWriter<FabricV1.Chunk>, context: CallContext
        ) async throws {
            let chunk = FabricV1.Chunk(data: [UInt8](repeating: 7, count: Int(request.chunkBytes)))
            while true { try await responses.write(chunk) }
        }
    }

    static func serve(_ address: String, curve: Bool) async throws {
        let server = RPCServer(
            service: "fabric/fabric-1", address: address, handlers: [Service()], logger: Main.logger,
            counters: Counters(), curve: curve ? LoadKeys.server : nil)
        try await server.start()
        Main.say("ready")
        try await Task.sleep(for: .seconds(3600))
    }

    private static func client(_ address: String, curve: Bool = false) -> RPCClient {
        let address = PeerAddress(location: address, key: curve ? LoadKeys.server.secret.publicKey : nil)
        return RPCClient(
            caller: "calls/calls-1", resolver: OneServer(address.description), logger: Main.logger,
            counters: Counters(), curve: curve ? LoadKeys.client : nil)
    }

    /// About 200 bytes encoded; the peers fill theirs alike.
    private static let note = FabricV1.Note(
        id: "01890a5d-ac96-774b-bcce-b302099a8057", accountID: "01890a5d-ac96-774b-bcce-b302099a8058",
        from: "+15551230000", to: "+15551230001", createdMilliseconds: 1_700_000_000_000, state: 3, answered: true,
        payload: [UInt8](repeating: 7, count: 80))

    /// - Parameter onPool: the callers' tasks run on Swift's pool instead of the socket's thread.
    static func echo(_ address: String, inFlight: Int, seconds: Int, onPool: Bool, curve: Bool) async throws {
        let client = client(address, curve: curve)
        let stub = FabricV1.FabricClient(client)
        _ = try await stub.echo(note)
        let start = MonotonicTime.now() + LoadReport.warmUp
        let stop = start + UInt64(seconds) * 1_000_000_000
        let parts = try await withThrowingTaskGroup(of: LoadReport.self) { group in
            for _ in 0..<inFlight {
                group.addTask(executorPreference: onPool ? nil : client.executor) {
                    try await echo(stub, from: start, to: stop)
                }
            }
            var parts: [LoadReport] = []
            for try await part in group { parts.append(part) }
            return parts
        }
        var report = LoadReport(seconds: Double(seconds))
        for part in parts {
            report.count += part.count
            report.total += part.total
            report.latencies += part.latencies
        }
        report.write()
    }

    private static func echo(
        _ stub: FabricV1.FabricClient, from start: UInt64, to stop: UInt64
    ) async throws -> LoadReport {
        var report = LoadReport()
        report.latencies.reserveCapacity(1 << 14)
        while true {
            let sent = MonotonicTime.now()
            if sent >= stop { return report }
            _ = try await stub.echo(note)
            report.total += 1
            guard sent >= start else { continue }
            report.count += 1
            report.latencies.append(UInt32(clamping: MonotonicTime.now() - sent))
        }
    }

    static func flow(_ address: String, chunkBytes: Int, seconds: Int) async throws {
        let client = client(address)
        let stub = FabricV1.FabricClient(client)
        let report = try await Task(executorPreference: client.executor) {
            var report = LoadReport(seconds: Double(seconds))
            let start = MonotonicTime.now() + LoadReport.warmUp
            let stop = start + UInt64(seconds) * 1_000_000_000
            for try await chunk in stub.flow(FabricV1.FlowRequest(chunkBytes: UInt32(chunkBytes))) {
                let now = MonotonicTime.now()
                if now >= stop { break }
                report.total += chunk.data.count
                guard now >= start else { continue }
                report.count += 1
                report.bytes += chunk.data.count
            }
            return report
        }.value
        report.write()
    }
}
