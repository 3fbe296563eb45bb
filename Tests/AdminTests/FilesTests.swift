import AdminCore
import Foundation
import Glibc
import Testing

/// Files that commands read and make.
@Suite struct FilesTests {
    private let folder: String

    init() throws {
        var template = Array("/tmp/bw-XXXXXX".utf8CString)
        folder = String(cString: try #require(mkdtemp(&template)))
    }

    private func withFolder(_ body: () throws -> Void) rethrows {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body()
    }

    private func content(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder).sorted()) ?? [] }

    @Test func `make a file appear when it is complete, and replace a former one, through a link too`() throws {
        try withFolder {
            let path = folder + "/a.wav"
            try Data("former".utf8).write(to: URL(fileURLWithPath: path))
            #expect(symlink("a.wav", folder + "/link") == 0)
            var file = try OutputFile(folder + "/link")
            try file.write(Array("later".utf8))
            #expect(content(path) == "former")
            try file.complete()
            #expect(content(path) == "later")
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/link") == "a.wav")
            #expect(names == ["a.wav", "link"])
        }
    }

    @Test func `leave nothing behind of a file that was not completed`() throws {
        try withFolder {
            func begin() throws {
                let file = try OutputFile(folder + "/a.wav")
                try file.write([1])
                #expect(names.count == 1)
            }
            try begin()
            #expect(names.isEmpty)
        }
    }

    @Test func `write into what is no plain file and never replace it`() throws {
        try withFolder {
            let pipe = folder + "/pipe"
            #expect(mkfifo(pipe, 0o600) == 0)
            let reader = open(pipe, O_RDONLY | O_NONBLOCK)
            defer { close(reader) }
            var file = try OutputFile(pipe)
            try file.write([7])
            try file.complete()
            var byte: UInt8 = 0
            #expect(read(reader, &byte, 1) == 1 && byte == 7)
            var status = stat()
            #expect(lstat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
            #expect(names == ["pipe"])
        }
    }

    @Test func `say which file cannot be written, and why`() throws {
        withFolder {
            for (path, reason) in [(folder, "directory"), (folder + "/none/a", "No such file"), ("/dev/full", "space")]
            {
                let error = #expect(throws: OutputFailure.self) { try write(to: path) }
                #expect(error?.description.contains(path) == true && error?.description.contains(reason) == true)
            }
            #expect(names.isEmpty)
        }
    }

    private func write(to path: String) throws {
        var file = try OutputFile(path)
        try file.write([1])
        try file.complete()
    }

    @Test func `are read to their end, but no further than they may be long`() throws {
        try withFolder {
            let path = folder + "/a"
            try Data(repeating: 5, count: 200_000).write(to: URL(fileURLWithPath: path))
            #expect(try InputFile.read(path, atMost: 200_000).count == 200_000)
            for (path, reason) in [
                (path, "too large"), ("/dev/zero", "too large"), (folder, "directory"), (folder + "/b", "No such file"),
            ] {
                let error = #expect(throws: CommandFailure.self) { try InputFile.read(path, atMost: 199_999) }
                #expect(error?.description.contains(path) == true && error?.description.contains(reason) == true)
            }
        }
    }
}
