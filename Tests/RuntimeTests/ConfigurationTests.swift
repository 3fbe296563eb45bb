import Foundation
import Runtime
import Testing

private enum Mode: String, CaseIterable { case on, off }

@Suite struct ConfigurationTests {
    @Test func theEnvironmentWinsOverTheFile() throws {
        let file = try Configuration.parse(
            "# comment\nBELLWIRE_HOST=10.0.0.1\n\n BELLWIRE_REGION = 'DE' \r\nBELLWIRE_SIP_PORT=\"5070\"\n")
        let configuration = try Configuration(environment: ["BELLWIRE_HOST": "127.0.0.2", "PATH": "/bin"], file: file)
        #expect(configuration.string(.host) == "127.0.0.2")
        #expect(configuration.string(.region) == "DE")
        #expect(try configuration.int(.sipPort, default: 5060, in: 1...65535) == 5070)
    }

    @Test func namesTheUnknownKey() {
        #expect(throws: ConfigurationError(key: "BELLWIRE_HOSTT", problem: "there is no such key")) {
            try Configuration(environment: ["BELLWIRE_HOSTT": "x"])
        }
        #expect(throws: ConfigurationError.self) { try Configuration.parse("HOST=x") }
        #expect(throws: ConfigurationError.self) { try Configuration.parse("BELLWIRE_HOST") }
    }

    @Test func namesTheKeyOfAWrongValue() throws {
        func refused(_ name: String, _ value: String, _ read: (Configuration) throws -> Void) {
            do {
                try read(try Configuration(environment: [name: value]))
                Issue.record("\(name)=\(value) was accepted")
            } catch {
                #expect((error as? ConfigurationError)?.key == name)
            }
        }
        for value in ["0", "65536", "x", "5060 ", "-1"] {
            refused("BELLWIRE_SIP_PORT", value) { _ = try $0.int(.sipPort, default: 5060, in: 1...65535) }
        }
        for value in ["", "10", "10-", "16385-16390", "30000-20000", "16384-99999"] where !value.isEmpty {
            refused("BELLWIRE_RTP_PORTS", value) { _ = try $0.ports(.rtpPorts, default: 20000...20010) }
        }
        refused("BELLWIRE_LOG_LEVEL", "loud") { _ = try $0.word(.logLevel, default: Mode.on) }
        refused("BELLWIRE_LEASE_SECONDS", "0.1") { _ = try $0.seconds(.leaseSeconds, default: .seconds(6), in: 1...60) }
        for value in ["localhost", "0.0.0.0", "::1", "127.0.0.1:5060", "256.0.0.1"] {
            refused("BELLWIRE_HOST", value) { _ in }
        }
        #expect(throws: ConfigurationError.self) { try Configuration(environment: [:]).required(.databaseURL) }
    }

    @Test func `explains every key to the operator`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let page = try String(contentsOf: root.appending(path: "docs/operations.md"), encoding: .utf8)
        for key in ConfigurationKey.allCases { #expect(page.contains("| `\(key.variable)` |"), "\(key.variable)") }
    }

    @Test func `gives an example of a configuration that is right as it stands, also what is commented out`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let text = try String(contentsOf: root.appending(path: "deploy/bellwire.env"), encoding: .utf8)
        let file = try Configuration.parse(text.replacing("#BELLWIRE_", with: "BELLWIRE_"))
        #expect(file.count >= 15)
        _ = try Configuration(environment: [:], file: file)
    }
}
