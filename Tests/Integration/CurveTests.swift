import Foundation
import Glibc
import Runtime
import Testing

/// A service on another host: keys made and allowed by the command line, real processes over tcp.
@Suite(.serialized) struct CurveTests {
    /// A system whose services and operator have the key `hub`, and room for instances on other hosts.
    private final class Hosts: Sendable {
        let keys: Folder
        let system: BellwireSystem

        init() throws {
            keys = try Folder()
            system = try BellwireSystem(settings: [
                "BELLWIRE_CURVE_KEY": keys.file("hub"), "BELLWIRE_CURVE_ALLOWED": keys.file("allowed"),
            ])
        }

        /// Runs `bellwire` with the key of that name.
        func bellwire(_ arguments: String..., key: String = "hub") async throws -> Program.Output {
            let program = try await Program.start(
                Program.product("bellwire"), arguments,
                environment: system.environment.merging(["BELLWIRE_CURVE_KEY": keys.file(key)]) { $1 },
                in: keys, name: "cli-\(UUID().uuidString)")
            return await program.finish(within: .seconds(30))
        }

        /// Makes a key of that name, and allows it.
        @discardableResult
        func makeKey(_ name: String, roles: String?) async throws -> String {
            let made = try await bellwire("curve", "create", "--json", key: name)
            #expect(made.status == 0, "\(made.standardError)")
            let key = try #require(try BellwireSystem.objects(made.standardOutput).first?["key"] as? String)
            if let roles {
                let allowed = try await bellwire("curve", "allow", String(name.prefix { $0 != "," }), key, roles)
                #expect(allowed.status == 0, "\(allowed.standardError)")
            }
            return key
        }

        /// A directory on another host.
        func directory(key: String, port: Int = 7411) async throws -> Program {
            let text = try String(contentsOfFile: system.runDirectory + "/bellwire.env", encoding: .utf8)
            let environment = try Configuration.parse(text).merging([
                "BELLWIRE_RUN_DIR": keys.file("elsewhere"), "BELLWIRE_INSTANCE": "directory-b",
                "BELLWIRE_RPC_ENDPOINT": "tcp://\(system.address):\(port)",
                "BELLWIRE_CURVE_KEY": keys.file(key),
            ]) { $1 }
            return try await Program.start(
                Program.product("bellwire-directory"), environment: environment, in: keys,
                name: "directory-b-\(UUID().uuidString)")
        }

        func answers(_ method: String = "runtime/GetStatus", key: String = "hub") async throws -> Bool {
            try await bellwire("rpc", method, "--instance", "directory-b", key: key).status == 0
        }

        func untilAnswers() async throws {
            _ = try await eventually("an answer of directory-b") { try await self.answers() ? true : nil }
        }
    }

    @Test func aServiceOnAnotherHostIsCalledByAllowedKeysInTheirRolesOnly() async throws {
        let hosts = try Hosts()
        try await hosts.makeKey("hub", roles: "calls,directory,notifications,operator,records,voicemail")
        try await hosts.makeKey("host-b", roles: "directory")
        try await hosts.makeKey("watcher", roles: "records")
        let stranger = try await hosts.makeKey("stranger", roles: nil)
        try await hosts.system.start()
        let directory = try await hosts.directory(key: "host-b")
        try await hosts.untilAnswers()
        #expect(try await hosts.answers("directory/ListAccounts"))

        // Whoever has a key without the role is refused, operator's methods first of all.
        for method in ["directory/ListAccounts", "runtime/Drain"] {
            let refused = try await hosts.bellwire("rpc", method, "--instance", "directory-b", key: "watcher")
            #expect(refused.status == 1 && refused.standardError.contains("permissionDenied"), "\(refused)")
        }
        // Whoever has no allowed key is not even let in, and is counted.
        #expect(try await !hosts.answers(key: "stranger"))
        let counters = try await hosts.bellwire(
            "counters", "--instance", "directory-b", "--prefix", "curve_refused", "--json")
        let refusals = try BellwireSystem.objects(counters.standardOutput).first { counter in
            (counter["labels"] as? [String: String]) == ["socket": "rpc", "reason": "unknownKey"]
        }
        #expect((refusals?["value"] as? Int ?? 0) > 0, "\(counters.standardOutput)")
        let list = try await hosts.bellwire("curve", "list", "--json")
        let names = try BellwireSystem.objects(list.standardOutput).compactMap { $0["name"] as? String }
        #expect(names == ["host-b", "hub", "watcher"])
        #expect(!list.standardOutput.contains(stranger))

        #expect(try await hosts.answers("runtime/Drain"))
        #expect(await directory.finish(within: .seconds(20)).status == 0)
        await hosts.system.stop()
    }

    @Test func aKeyIsChangedWhileCallsGoOn() async throws {
        let hosts = try Hosts()
        try await hosts.makeKey("hub", roles: "calls,directory,notifications,operator,records,voicemail")
        let old = try await hosts.makeKey("host-b", roles: "directory")
        try await hosts.system.start()
        var directory = try await hosts.directory(key: "host-b")
        try await hosts.untilAnswers()
        let callers = Task {
            var failures: [String] = []
            while !Task.isCancelled {
                let output = try await hosts.bellwire("account", "list")
                if output.status != 0 { failures.append(output.standardError) }
            }
            return failures
        }
        // The new key is allowed beside the old one, then used, then the old one is taken away.
        let made = try await hosts.bellwire("curve", "create", "--json", key: "host-b-2")
        let new = try #require(try BellwireSystem.objects(made.standardOutput).first?["key"] as? String)
        #expect(try await hosts.bellwire("curve", "allow", "host-b", new, "directory").status == 0)
        directory.child.signal(SIGTERM)
        #expect(await directory.finish(within: .seconds(20)).status == 0)
        directory = try await hosts.directory(key: "host-b-2")
        try await hosts.untilAnswers()
        #expect(try await hosts.bellwire("curve", "delete", old).status == 0)
        #expect(try await hosts.answers("directory/ListAccounts"))
        callers.cancel()
        #expect(try await callers.value == [])
        let list = try await hosts.bellwire("curve", "list")
        #expect(list.standardOutput.contains(new) && !list.standardOutput.contains(old))
        directory.child.signal(SIGTERM)
        _ = await directory.finish(within: .seconds(20))
        await hosts.system.stop()
    }

    @Test func withoutKeysNobodyListensToOtherHosts() async throws {
        let hosts = try Hosts()
        let environment = [
            "BELLWIRE_RUN_DIR": hosts.keys.file("elsewhere"), "BELLWIRE_DATABASE_URL": "postgresql:///nowhere",
            "BELLWIRE_RPC_ENDPOINT": "tcp://\(hosts.system.address):7411",
        ]
        for (key, value) in [
            ("BELLWIRE_CURVE_KEY", nil), ("BELLWIRE_CURVE_KEY", hosts.keys.file("absent")),
            ("BELLWIRE_RPC_ENDPOINT", "tcp://*:7411"), ("BELLWIRE_EVENTS_ENDPOINT", "tcp://host"),
        ] {
            var wrong = environment
            wrong[key] = value
            if value == hosts.keys.file("absent") { wrong["BELLWIRE_CURVE_ALLOWED"] = hosts.keys.file("absent") }
            let program = try await Program.start(
                Program.product("bellwire-directory"), environment: wrong, in: hosts.keys, name: UUID().uuidString)
            let output = await program.finish(within: .seconds(20))
            #expect(output.status == 78 && output.standardError.contains(key), "\(output)")
        }
    }
}
