import Foundation
import Testing

/// Runs protoc with the built plugin on small files. What is refused is named, and no code is made of it.
@Suite("What the generator refuses")
struct GeneratorRefusalTests {
    @Test(
        "A construct that the generated code must not meet",
        arguments: [
            ("message A { A a = 1; }", "recursive message: t.v1.A -> t.v1.A"),
            ("message A { B b = 1; } message B { repeated A a = 1; }", "recursive message: t.v1.A -> t.v1.B -> t.v1.A"),
            ("message A { map<string, A> a = 1; }", "recursive message"),
            ("message A { oneof o { A a = 1; } }", "recursive message"),
            ("message A { message B { A a = 1; } B b = 1; }", "recursive message"),
            ("message A { string base = 1; }", "t.v1.A.base"),
            ("message String {}", "t.v1.String"),
            ("message A { google.protobuf.Any any = 1; }", "google.protobuf.Any is not supported"),
            ("message A {} service S { rpc M(stream A) returns (A); }", "client streaming is not supported"),
            (method("roles) = \"Operator\""), "M: the role `Operator` is not of"),
            (method("roles) = \"\""), "M: the role `` is not of"),
            (method("roles) = \"calls\"; option (bellwire.options.v1.roles) = \"calls\""), "a role is named twice"),
            (method("pinned_by) = \"id\""), "pinned_by is for methods with ROUTING_PINNED"),
            (method("routing) = ROUTING_PINNED"), "pinned_by must name a text field"),
        ])
    func refuses(_ body: String, _ message: String) throws {
        let (status, output) = try generate("syntax = \"proto3\";", body)
        #expect(status != 0)
        #expect(output.contains(message))
    }

    @Test("proto2 is refused")
    func proto2() throws {
        let (status, output) = try generate("syntax = \"proto2\";", "message A { optional int32 a = 1; }")
        #expect(status != 0 && output.contains("only proto3 is supported"))
    }

    @Test("The same file without a fault is accepted")
    func accepts() throws {
        let (status, output) = try generate("syntax = \"proto3\";", "message A { B b = 1; } message B { int32 a = 1; }")
        #expect(status == 0, "\(output)")
        let (methodStatus, methodOutput) = try generate("syntax = \"proto3\";", Self.method("roles) = \"calls\""))
        #expect(methodStatus == 0, "\(methodOutput)")
    }

    private static func method(_ option: String) -> String {
        "message A { string id = 1; } service S { rpc M(A) returns (A) { option (bellwire.options.v1.\(option); } }"
    }

    private static let options = "import \"bellwire/options/v1/options.proto\";"
    private static let protos = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Shared/Protos").standardized.path

    /// protoc's exit status and what it printed.
    private func generate(_ syntax: String, _ body: String) throws -> (Int32, String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bellwire-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = "\(syntax) package t.v1; import \"google/protobuf/any.proto\"; \(Self.options) \(body)"
        try Data(source.utf8).write(to: folder.appending(path: "t.proto"))

        // The plugin lies beside the program that runs the tests.
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let plugin = URL(filePath: tests).deletingLastPathComponent().appending(path: "protoc-gen-bellwire").path
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "protoc", "--plugin=protoc-gen-bellwire=\(plugin)", "--bellwire_out=\(folder.path)", "-I", folder.path,
            "-I", Self.protos, "t.proto",
        ]
        let pipe = Pipe()
        process.standardError = pipe
        process.standardOutput = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }
}
