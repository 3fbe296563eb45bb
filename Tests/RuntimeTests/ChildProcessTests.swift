import Foundation
import Runtime
import Testing

@Suite struct ChildProcessTests {
    private func shell(_ script: String) -> ChildProcessRequest {
        ChildProcessRequest(executable: "/bin/sh", arguments: ["-c", script], environment: ["MARK": "1"])
    }

    @Test func reportsHowAChildEnded() async throws {
        let spawner = try ChildSpawner()
        #expect(await (try spawner.spawn(shell("exit 7"))).exitStatus == 7)
        #expect(await (try spawner.spawn(shell("kill -9 $$"))).exitStatus == 128 + 9)
        #expect(await (try spawner.spawn(shell("test \"$MARK\" = 1 && test -z \"$HOME\""))).exitStatus == 0)
    }

    @Test func saysWhyAProgramCannotStart() async throws {
        let spawner = try ChildSpawner()
        await #expect(throws: SystemError("spawn", code: ENOENT)) {
            try await spawner.spawn(ChildProcessRequest(executable: "/no/such/program"))
        }
    }

    @Test func aSignalReachesAChildAndNothingElseAfterItsEnd() async throws {
        let spawner = try ChildSpawner()
        let child = try await spawner.spawn(shell("exec sleep 100"))
        child.signal(SIGTERM)
        #expect(await child.exitStatus == 128 + SIGTERM)
        #expect(child.hasEnded)
        child.signal(SIGKILL)
    }

    @Test func handsOverOnlyTheNamedDescriptors() async throws {
        let spawner = try ChildSpawner()
        let pipe = Pipe()
        let other = Pipe()
        var request = shell("ls /proc/$$/fd")
        request.standardOutput = pipe.fileHandleForWriting.fileDescriptor
        let named = other.fileHandleForWriting.fileDescriptor
        request.inherited = [named]
        let child = try await spawner.spawn(request)
        #expect(await child.exitStatus == 0)
        try pipe.fileHandleForWriting.close()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let numbers = Set(text.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) })
        #expect(numbers.isSuperset(of: [0, 1, 2, named]))
        #expect(!numbers.contains(other.fileHandleForReading.fileDescriptor))
    }
}
