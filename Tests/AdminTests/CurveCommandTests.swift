import AdminCore
import Foundation
import Synchronization
import Testing

@Suite struct CurveCommandTests {
    private func run(_ words: [String]) async -> (status: Int32, text: String) {
        let text = Mutex("")
        let output = Output(
            json: false, standardOutput: { line in text.withLock { $0 += line } },
            standardError: { line in text.withLock { $0 += line } })
        return (await BellwireCommand.run(words, environment: [:], output: output), text.withLock { $0 })
    }

    @Test func `takes the key of its own example, and lists it whole and first`() async throws {
        let path = NSTemporaryDirectory() + "bw-allowed-\(UUID().uuidString)"
        defer { for name in [path, path + ".lock"] { try? FileManager.default.removeItem(atPath: name) } }
        #expect(await run(["curve", "list", "--allowed-file", path]).status == 1)
        let allow = try #require(CommandCatalog.all.map(\.spec).first { $0.path == ["curve", "allow"] })
        let words = allow.example.split(separator: " ").map(String.init)
        #expect(await run(allow.path + words + ["--allowed-file", path]).status == 0)
        let listed = await run(["curve", "list", "--allowed-file", path])
        #expect(listed.status == 0 && listed.text.contains("\n\(words[1])  \(words[0])"))
        #expect(await run(["curve", "delete", words[0], "--allowed-file", path]).status == 0)
    }
}
