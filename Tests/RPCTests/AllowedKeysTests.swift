import Foundation
import Glibc
import Testing
import ZeroMQ

@Suite("Files of keys") struct AllowedKeysTests {
    private let folder: String
    private let secret = CurveSecretKey.make()

    init() throws {
        folder = "/tmp/bw-keys-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func file(_ text: String, mode: Int = 0o600) throws -> String {
        let path = "\(folder)/file"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        chmod(path, mode_t(mode))
        return path
    }

    @Test("a key file gives its key back, and nothing prints it") func secretFile() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = try file("# of host-a\n\(secret.text)\n")
        let read = try CurveSecretKey.read(path: path)
        #expect(read.publicKey == secret.publicKey)
        #expect(!"\(read)\(String(reflecting: read))\(read.redacted)".contains(secret.text))
        chmod(path, 0o644)
        #expect(throws: CurveError.self) { try CurveSecretKey.read(path: path) }
        for text in ["", "x", secret.text + "\n" + secret.text, String(secret.text.dropLast())] {
            #expect(throws: CurveError.self) { try CurveSecretKey.read(path: try file(text)) }
        }
    }

    @Test("a list names each key once, with a name and roles; any other line is refused by its number")
    func list() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let good = "# hosts\n\nhost-a  \(secret.publicKey)\tcalls,records\n"
        let allowed = try AllowedKeys(path: try file(good))
        #expect(allowed.find(secret.publicKey)?.roles == ["calls", "records"])
        #expect(allowed.find(secret.publicKey)?.name == "host-a")
        #expect(allowed.find(CurveSecretKey.make().publicKey) == nil)
        for bad in [
            "host-b * any", "any", "host-b \(secret.publicKey)", "host-b \(secret.publicKey) calls,",
            "Host \(secret.publicKey) calls", "host-b \(secret.publicKey) *", "host-b \(secret.publicKey) calls extra",
            "host-b \(secret.publicKey) calls",
        ] {
            let error = #expect(throws: CurveError.self) { try AllowedKeys(path: try file(good + bad + "\n")) }
            #expect(error?.problem.hasPrefix("line 4: ") == true)
        }
        #expect(throws: CurveError.self) { try AllowedKeys(path: "\(folder)/absent") }
        #expect(throws: CurveError.self) { try AllowedKeys(path: try file(good, mode: 0o666)) }
    }

    @Test("a change counts at once; one that cannot be read changes nothing") func change() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let other = CurveSecretKey.make()
        let line = "host-a \(secret.publicKey) calls\n"
        let path = try file(line)
        let allowed = try AllowedKeys(path: path)
        #expect(allowed.find(other.publicKey) == nil)
        _ = try file(line + "host-b \(other.publicKey) records\n")
        #expect(allowed.find(other.publicKey)?.name == "host-b")
        _ = try file("host-a nonsense\n")
        #expect(allowed.find(secret.publicKey) != nil)
        try FileManager.default.removeItem(atPath: path)
        #expect(allowed.find(secret.publicKey) != nil)
        _ = try file("host-b \(other.publicKey) records\n")
        #expect(allowed.find(secret.publicKey) == nil)
        #expect(allowed.find(other.publicKey) != nil)
    }

    @Test("an edit keeps comments, mode and the other lines; readers see each change at once") func edit() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let other = CurveSecretKey.make()
        let path = "\(folder)/list"
        let edited = AllowedKeysFile(path: path)
        #expect(try edited.list().isEmpty)
        try edited.allow(AllowedKey(secret, "host-a", ["calls"]))
        let readers = try AllowedKeys(path: path)
        try ("# our hosts\n\n" + String(contentsOfFile: path, encoding: .utf8)).write(
            toFile: path, atomically: true, encoding: .utf8)
        chmod(path, 0o640)
        try edited.allow(AllowedKey(other, "host-b", ["records", "directory"]))
        #expect(readers.all.map(\.name) == ["host-a", "host-b"])
        // The same key again: another name and other roles, no second line.
        try edited.allow(AllowedKey(secret, "host-c", ["voicemail"]))
        #expect(readers.find(secret.publicKey)?.name == "host-c")
        #expect(
            try String(contentsOfFile: path, encoding: .utf8)
                == "# our hosts\n\nhost-c \(secret.publicKey) voicemail\nhost-b \(other.publicKey) directory,records\n")
        #expect(try edited.delete { $0.name == "nobody" }.isEmpty)
        #expect(try edited.delete { $0.key == secret.publicKey }.map(\.name) == ["host-c"])
        #expect(readers.all.map(\.name) == ["host-b"])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o640)
        // A list that cannot be read is not overwritten.
        _ = try "nonsense\n".write(toFile: path, atomically: true, encoding: .utf8)
        #expect(throws: CurveError.self) { try edited.allow(AllowedKey(secret, "host-a", ["calls"])) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "nonsense\n")
    }

    @Test("a key file is made for this user alone and never overwritten") func create() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = "\(folder)/key"
        let made = try CurveSecretKey.create(path: path)
        #expect(try CurveSecretKey.read(path: path).publicKey == made.publicKey)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let error = #expect(throws: CurveError.self) { try CurveSecretKey.create(path: path) }
        #expect(error?.description == "\(path): is there already")
        #expect(try CurveSecretKey.read(path: path).publicKey == made.publicKey)
    }
}
