import AdminCore
import Runtime
import Testing

@Suite struct UpSettingsTests {
    @Test func `hands on what was configured, and where the run is`() throws {
        let settings = try UpSettings(
            Configuration(environment: [
                "BELLWIRE_HOST": "127.0.0.2", "BELLWIRE_RUN_DIR": "/tmp/x", "BELLWIRE_VOICEMAIL_MAXIMUM_SECONDS": "5",
            ]))
        #expect(settings.relays.map(\.host) == ["127.0.0.2"])
        let environment = settings.environment(databaseURL: "postgresql:///b")
        #expect(environment["BELLWIRE_VOICEMAIL_MAXIMUM_SECONDS"] == "5")
        #expect(environment["BELLWIRE_RUN_DIR"] == "/tmp/x")
        #expect(environment["BELLWIRE_DATABASE_URL"] == "postgresql:///b")
        let parsed = try Configuration.parse(EnvironmentFile.text(environment))
        #expect(parsed == environment)
    }

    @Test func `claims SIP and the relay's control port on the host`() throws {
        let settings = try UpSettings(Configuration(environment: ["BELLWIRE_SIP_PORT": "5070"]))
        #expect(settings.ports.map(\.port) == [5070, 5070, 2223])
        #expect(settings.ports.allSatisfy { $0.host == "127.0.0.1" })
    }

    @Test func `runs several rtpengines, which share the RTP ports out`() throws {
        let settings = try UpSettings(
            Configuration(environment: [
                "BELLWIRE_RTPENGINE": "127.0.0.1:2223, 127.0.0.1:2225", "BELLWIRE_RELAY_PORTS": "20000-20999",
            ]))
        #expect(settings.relays.map(\.port) == [2223, 2225])
        #expect(settings.relays.map(\.ports) == [20_000...20_499, 20_500...20_999])
        #expect(settings.ports.count == 4)
    }

    @Test(arguments: [
        ["BELLWIRE_RTPENGINE": "127.0.0.1:2223,"], ["BELLWIRE_SIP_PORT": "0"], ["BELLWIRE_RTPENGINE": "localhost"],
        ["BELLWIRE_RTPENGINE": "127.0.0.1:none"],
        ["BELLWIRE_RPC_ENDPOINT": "ipc:///x"], ["BELLWIRE_EVENTS_ENDPOINT": "ipc:///x"],
        ["BELLWIRE_RELAY_PORTS": "9-3"],
    ])
    func `refuses wrong values by their key`(environment: [String: String]) throws {
        let error = #expect(throws: ConfigurationError.self) {
            try UpSettings(Configuration(environment: environment))
        }
        #expect(error?.key == environment.keys.first)
    }
}
