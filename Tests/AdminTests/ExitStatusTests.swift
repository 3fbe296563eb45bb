import AdminCore
import Testing

@Suite struct ExitStatusTests {
    private func run(_ arguments: String..., environment: [String: String] = [:]) async -> Int32 {
        await BellwireCommand.run(arguments, environment: environment)
    }

    @Test func `ends with 64 on wrong usage`() async {
        #expect(await run("record", "list", "--bogus") == 64)
        #expect(await run("nothing") == 64)
        #expect(await run("rpc", "calls/NoSuchMethod", "{}") == 64)
        #expect(await run("rpc", "calls/GetCall", "{\"nonsense\":1") == 64)
        #expect(await run("rpc", "runtime/GetStatus", "{}") == 64)
        // Also where no system runs.
        #expect(await run("record", "list", "--limit", "none") == 64)
        #expect(await run("record", "list", "--account", "demo") == 64)
        #expect(await run("user", "create", "bob", "--account", "demo", "--ring-policy", "all") == 64)
        #expect(await run("trunk", "create", "t", "--account", "demo", "--host", "h", "--prefixes", ",") == 64)
        #expect(await run("rpc", "directory/ListUsers", #"{"acount":"demo"}"#) == 64)
    }

    @Test func `ends with 78 on wrong configuration`() async {
        #expect(await run("status", environment: ["BELLWIRE_HOTS": "x"]) == 78)
        #expect(await run("status", "--config", "/nowhere.env") == 78)
        for command in ["up", "status"] {
            for (key, value) in [
                ("BELLWIRE_SIP_PORT", "many"), ("BELLWIRE_SIP_PORT", "70000"), ("BELLWIRE_HOST", "localhost"),
                ("BELLWIRE_HOST", "0.0.0.0"), ("BELLWIRE_RTP_PORTS", "1-2"), ("BELLWIRE_DRAIN_SECONDS", "601"),
                ("BELLWIRE_LOG_LEVEL", "loud"), ("BELLWIRE_DATABASE_CONNECTIONS", "0"),
            ] {
                #expect(await run(command, environment: [key: value]) == 78, "\(command) \(key)=\(value)")
            }
        }
    }

    @Test func `ends with 69 when there is no system`() async {
        let nowhere = "postgresql:///bellwire?host=/nowhere&connect_timeout=1"
        #expect(await run("status", environment: ["BELLWIRE_DATABASE_URL": nowhere]) == 69)
        #expect(await run("migrate", environment: ["BELLWIRE_DATABASE_URL": nowhere]) == 69)
    }

    @Test func `ends with 0 on help`() async {
        #expect(await run("record", "list", "--help") == 0)
    }
}
