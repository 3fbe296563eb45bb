import AdminCore
import Foundation
import Runtime
import Synchronization
import Testing

/// Real children: /bin/sh.
@Suite struct ProcessKeeperTests {
    private final class Reports: Sendable {
        private let (stream, continuation) = AsyncStream.makeStream(of: String.self)

        func report(_ text: String) { continuation.yield(text) }

        func first(containing text: String) async -> Bool {
            for await line in stream where line.contains(text) { return true }
            return false
        }
    }

    private func folder() throws -> String {
        let path = FileManager.default.temporaryDirectory.path + "/bellwire-keeper-\(UInt64.random(in: 0...UInt64.max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    private func keeper(
        _ script: String, in folder: String, spawner: ChildSpawner, reports: Reports = Reports(),
        stopping: [(signal: Int32, limit: Duration)] = [(SIGTERM, .seconds(5))]
    ) -> ProcessKeeper {
        let process = ManagedProcess(
            name: "child",
            request: {
                ChildProcessRequest(
                    executable: "/bin/sh", arguments: ["-c", script], environment: ["PATH": "/usr/bin:/bin"],
                    directory: folder)
            },
            isReady: { _ in FileManager.default.fileExists(atPath: folder + "/ready") }, stopping: stopping,
            readyLimit: .seconds(20))
        return ProcessKeeper(
            process, spawner: spawner, log: LogFile(folder: folder, name: "child"),
            backoff: RestartBackoff(first: .milliseconds(1), longest: .milliseconds(10)),
            report: { reports.report($0.text) })
    }

    @Test func `starts a killed child again`() async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let reports = Reports()
        let keeper = keeper("touch ready; exec sleep 100", in: folder, spawner: try ChildSpawner(), reports: reports)
        try await keeper.start()
        let first = try #require(await keeper.processID)
        try FileManager.default.removeItem(atPath: folder + "/ready")
        kill(first, SIGKILL)
        #expect(await reports.first(containing: "ready again"))
        let second = try #require(await keeper.processID)
        #expect(second != first)
        await keeper.stop()
        #expect(kill(second, 0) != 0)
    }

    @Test func `gives up on a child that ends before it is ready, and shows its log`() async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let keeper = keeper("echo the reason; echo x >> starts; exit 3", in: folder, spawner: try ChildSpawner())
        let error = await #expect(throws: StartFailure.self) { try await keeper.start() }
        #expect(error?.description.contains("status 3") == true)
        #expect(error?.description.contains("the reason") == true)
        #expect(error?.exitStatus == 1)
        let starts = try String(contentsOfFile: folder + "/starts", encoding: .utf8)
        #expect(starts == "x\nx\nx\n")
    }

    @Test func `does not try wrong configuration again`() async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let keeper = keeper("echo x >> starts; exit 78", in: folder, spawner: try ChildSpawner())
        let error = await #expect(throws: StartFailure.self) { try await keeper.start() }
        #expect(error?.exitStatus == 78)
        #expect(try String(contentsOfFile: folder + "/starts", encoding: .utf8) == "x\n")
    }

    @Test func `kills a child that does not heed the signal`() async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let keeper = keeper(
            "trap '' TERM; touch ready; while :; do sleep 1; done", in: folder, spawner: try ChildSpawner(),
            stopping: [(SIGTERM, .milliseconds(50))])
        try await keeper.start()
        let process = try #require(await keeper.processID)
        await keeper.stop()
        #expect(kill(process, 0) != 0)
        #expect(await keeper.processID == nil)
    }
}
