import Foundation
import Testing

/// The command line as scripts and newcomers use it.
@Suite(.serialized) struct CommandLineTests {
    private static let system = SharedSystem()

    /// Runs a line of the shell in the folder of the executables.
    private func shell(_ line: String) async throws -> Program.Output {
        let system = try await Self.system.value
        let program = try await Program.start(
            "/bin/bash", ["-o", "pipefail", "-c", "cd '\(Program.products.path)' && \(line)"],
            environment: system.environment, in: system.folder, name: "shell-\(UUID().uuidString)")
        return await program.finish(within: .seconds(30))
    }

    @Test func whatTheReadmeTriesWorks() async throws {
        let system = try await Self.system.value
        try await system.json("account", "create", "demo")
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../README.md")
        let commands = try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("./bellwire ") }
            .map { $0.prefix { $0 != "#" } }
            .filter { !$0.contains(" watch") && !$0.contains(" ID ") }
        #expect(commands.count >= 8)
        for command in commands {
            let output = try await shell(String(command))
            #expect(output.status == 0, "\(command): \(output.standardError)")
        }
    }

    @Test func aResultThatCannotBeWrittenIsAnError() async throws {
        for command in ["account list", "account list --json", "status", "rpc directory/ListAccounts"] {
            let output = try await shell("./bellwire \(command) > /dev/full")
            #expect(output.status == 74, "\(command)")
            #expect(output.standardError.contains("No space left"), "\(output.standardError)")
        }
        let piped = try await shell("./bellwire rpc list | true")
        #expect(piped.status == 0 && piped.standardError.isEmpty, "\(piped.standardError)")
    }

    @Test func aVoicemailIsSavedToAFileAPipeAndADevice() async throws {
        let system = try await Self.system.value
        let callee = try await Subscriber.make(in: system, policy: "decline")
        try await callee.setShortGreeting()
        let tone = system.folder.file("tone.ul")
        try Data(Tone.raw(frequency: 440, seconds: 1, encode: Tone.muLaw)).write(to: URL(fileURLWithPath: tone))
        try await SIPCaller(
            system: system, number: callee.number,
            steps: [
                .expect(100, optional: true), .expect(180, optional: true), .expect(200), .acknowledge,
                .stream(path: tone, payloadType: 0), .pause(milliseconds: 3000), .hangUp,
            ]
        ).run()
        let voicemail = try await callee.voicemail()
        let identifier = try #require(voicemail["id"] as? String)
        let path = system.folder.file("saved.wav")
        let download = "./bellwire voicemail download \(identifier) --output"
        let output = try await shell(
            "\(download) '\(path)' && \(download) - | cmp - '\(path)' && \(download) /dev/null")
        #expect(output.status == 0, "\(output.standardError)")
        let type = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
        #expect(type == .typeCharacterSpecial)
        #expect(try await shell("\(download) /dev/full").status == 74)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: system.folder.path).allSatisfy {
                !$0.contains(".part")
            })
    }

    @Test func nothingIsKeptForAUserWhoIsNotThere() async throws {
        let system = try await Self.system.value
        let callee = try await Subscriber.make(in: system)
        try await callee.setShortGreeting()
        try await system.json("user", "delete", callee.identifier)
        let path = system.folder.file("greeting-\(callee.identity).wav")
        for arguments in [
            ["greeting", "set", callee.identifier, "--file", path], ["greeting", "show", callee.identifier],
            ["device", "list", "--owner", callee.identifier],
        ] {
            let output = try await system.run(arguments)
            #expect(output.status == 1 && output.standardError.contains("notFound"), "\(output.standardError)")
        }
    }
}
