import AdminCore
import Foundation
import Runtime
import Testing

@Suite struct RunFolderTests {
    private func temporary(_ body: (String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.path + "/bellwire-run-\(UInt64.random(in: 0...UInt64.max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    @Test func `is held by one supervisor at a time`() throws {
        try temporary { path in
            let directory = RunDirectory(path)
            var first: RunLock? = try RunLock(directory)
            let error = #expect(throws: StartFailure.self) { try RunLock(directory) }
            #expect(error?.description.contains(path) == true)
            #expect(error?.description.contains("\(ProcessInfo.processInfo.processIdentifier)") == true)
            _ = first
            first = nil
            _ = try RunLock(directory)
        }
    }

    @Test func `cannot be a file, and says which key is wrong`() throws {
        try temporary { path in
            _ = FileManager.default.createFile(atPath: path + "/file", contents: nil)
            for folder in ["/file", "/file/below"] {
                let error = #expect(throws: ConfigurationError.self) { try RunDirectory(path + folder).make() }
                #expect(error?.key == "BELLWIRE_RUN_DIR")
                #expect(error?.problem.contains("\(path)/file is not a folder") == true)
            }
        }
    }

    @Test func `keeps secrets from others`() throws {
        try temporary { path in
            try PrivateFile.write("one", to: path + "/secret")
            try PrivateFile.write("two", to: path + "/secret")
            let mode = try FileManager.default.attributesOfItem(atPath: path + "/secret")[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(try String(contentsOfFile: path + "/secret", encoding: .utf8) == "two")
            #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["secret"])
        }
    }

    @Test func `bounds a log, and the child goes on in it`() throws {
        try temporary { path in
            let log = LogFile(folder: path, name: "child", largestBytes: 100)
            let descriptor = try log.open()
            let child = FileHandle(fileDescriptor: descriptor.number, closeOnDealloc: false)
            try child.write(contentsOf: Data(String(repeating: "a\n", count: 60).utf8))
            log.trim()
            try child.write(contentsOf: Data("b\n".utf8))
            #expect(try String(contentsOfFile: path + "/child.log", encoding: .utf8) == "b\n")
            #expect(try String(contentsOfFile: path + "/child.log.1", encoding: .utf8).count == 120)
            log.trim()
            #expect(log.tail(lines: 3) == "    b")
        }
    }

    @Test func `opens a cluster only with its own version of PostgreSQL`() throws {
        try temporary { path in
            for version in ["14", "15", "17"] {
                try FileManager.default.createDirectory(
                    atPath: "\(path)/\(version)/bin", withIntermediateDirectories: true)
                for program in ["postgres", "initdb"] {
                    _ = FileManager.default.createFile(
                        atPath: "\(path)/\(version)/bin/\(program)", contents: nil,
                        attributes: [.posixPermissions: 0o755])
                }
            }
            #expect(try PostgresPrograms.find(cluster: nil, root: path).version == 17)
            #expect(try PostgresPrograms.find(cluster: 15, root: path).version == 15)
            #expect(throws: StartFailure.self) { try PostgresPrograms.find(cluster: 16, root: path) }
            #expect(throws: StartFailure.self) { try PostgresPrograms.find(cluster: nil, root: path + "/14") }
        }
    }
}
