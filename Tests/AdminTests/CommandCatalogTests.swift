import AdminCore
import Testing

@Suite struct CommandCatalogTests {
    private let specs = CommandCatalog.all.map(\.spec)

    @Test func `has every command of the contract`() {
        let wanted = [
            "up", "status", "drain", "version", "migrate", "counters", "rpc", "rpc list", "rpc describe", "call list",
            "call show", "call hangup",
            "call watch",
            "record list", "record show", "record delete", "record watch", "voicemail list", "voicemail show",
            "voicemail download", "voicemail delete", "voicemail watch", "greeting set", "greeting show",
            "greeting clear",
            "device add", "device list", "device remove", "events tail", "user update",
            "curve create", "curve show", "curve list", "curve allow", "curve delete",
        ]
        let created = ["account", "user", "number", "trunk"].flatMap { thing in
            ["create", "list", "show", "delete"].map { "\(thing) \($0)" }
        }
        let paths = Set(specs.map { $0.path.joined(separator: " ") })
        #expect(paths == Set(wanted + created))
    }

    @Test func `names no command and no option of a command twice`() {
        #expect(Set(specs.map(\.path)).count == specs.count)
        for spec in specs {
            let names = (spec.options + CommandSpec.common).map(\.name)
            #expect(Set(names).count == names.count, "\(spec.path)")
        }
    }

    @Test func `gives an example of every command that is understood as it stands`() throws {
        let parser = ArgumentParser(specs)
        for spec in specs {
            let words = spec.example.replacing("'", with: "").split(separator: " ").map(String.init)
            guard case .run(let invocation) = try parser.parse(spec.path + words) else {
                Issue.record("no example of \(spec.path)")
                continue
            }
            #expect(invocation.command == spec)
        }
    }

    @Test func `explains every command`() throws {
        let parser = ArgumentParser(specs)
        for spec in specs {
            guard case .help(let text) = try parser.parse(spec.path + ["--help"]) else {
                Issue.record("no help for \(spec.path)")
                continue
            }
            #expect(text.hasPrefix("usage: bellwire \(spec.path.joined(separator: " "))"))
        }
    }
}
