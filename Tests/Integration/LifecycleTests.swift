import Foundation
import Glibc
import Runtime
import Testing

/// How a whole system starts and ends.
@Suite(.serialized) struct LifecycleTests {
    private func expectEnd(of processes: [Int32]) async throws {
        _ = try await eventually("the end of all processes", within: .seconds(20)) {
            processes.contains(where: ProcessTable.isAlive) ? nil : true
        }
    }

    @Test func ctrlCEndsEverythingAndTheNextStartWorksAtOnce() async throws {
        let system = try BellwireSystem()
        try await system.start()
        let processes = ProcessTable.descendants(of: system.supervisor.child.identifier)
        #expect(processes.count >= 7)
        await system.stop()
        #expect(!processes.contains(where: ProcessTable.isAlive))
        try await system.start()
        await system.stop()
    }

    @Test func killingTheSupervisorEndsEverythingAndTheNextStartWorksAtOnce() async throws {
        let system = try BellwireSystem()
        try await system.start()
        let callee = try await Subscriber.make(in: system)
        let processes = ProcessTable.descendants(of: system.supervisor.child.identifier)
        system.supervisor.child.signal(SIGKILL)
        _ = await system.supervisor.child.exitStatus
        try await system.start()
        try await expectEnd(of: processes)
        #expect(try await system.json("user", "show", callee.identifier).count == 1)
        await system.stop()
    }

    @Test func aPortInUseIsNamed() async throws {
        let first = try BellwireSystem()
        try await first.start()
        let second = try BellwireSystem(address: first.address)
        let program = try await Program.start(
            Program.product("bellwire"), ["up"], environment: second.environment, in: second.folder, name: "up")
        let output = await program.finish(within: .seconds(30))
        #expect(output.status != 0)
        #expect(
            output.standardError.contains("5060") && output.standardError.contains(first.address),
            "\(output.standardError)")
        await first.stop()
    }

    @Test func oneRunDirectoryHasOneSystem() async throws {
        let system = try BellwireSystem()
        try await system.start()
        let output = try await system.run(["up"], within: .seconds(30))
        #expect(output.status != 0 && output.standardError.contains(system.runDirectory), "\(output.standardError)")
        #expect(try await system.isReady())
        await system.stop()
    }

    @Test func twoSystemsRunSideBySide() async throws {
        let systems = [try BellwireSystem(), try BellwireSystem()]
        for system in systems { try await system.start() }
        for system in systems {
            let callee = try await Subscriber.make(in: system, policy: "decline")
            try await callee.setShortGreeting()
            let tone = system.folder.file("tone.ul")
            try Tone.raw(frequency: 440, seconds: 1, encode: Tone.muLaw).write(to: URL(fileURLWithPath: tone))
            try await SIPCaller(
                system: system, number: callee.number,
                steps: [
                    .expect(100, optional: true), .expect(200), .acknowledge, .stream(path: tone, payloadType: 0),
                    .pause(milliseconds: 4000), .hangUp,
                ]
            ).run()
            _ = try await callee.voicemail()
            #expect(try await system.json("record", "list").count == 1)
        }
        for system in systems { await system.stop() }
    }

    @Test(arguments: [
        ("BELLWIRE_HOTS", "127.0.0.1"), ("BELLWIRE_SIP_PORT", "seventy"), ("BELLWIRE_LOG_LEVEL", "loud"),
        ("BELLWIRE_HOST", "localhost"), ("BELLWIRE_HOST", "192.0.2.1"), ("BELLWIRE_RUN_DIR", "/dev/null"),
    ])
    func wrongConfigurationIsNamed(key: String, value: String) async throws {
        let system = try BellwireSystem(settings: [key: value])
        let output = try await system.run(["up"], within: .seconds(30))
        #expect(output.status == 78)
        #expect(output.standardError.contains(key))
    }

    @Test(arguments: [[SIGINT], [SIGHUP, SIGHUP]]) func everyLineIsAnObjectInJSON(signals: [Int32]) async throws {
        let system = try BellwireSystem()
        let program = try await Program.start(
            Program.product("bellwire"), ["up", "--json"], environment: system.environment, in: system.folder,
            name: "up")
        _ = try await eventually("the system", within: .seconds(60)) {
            program.standardOutput.contains("\"event\":\"up\"") ? true : nil
        }
        for signal in signals { program.child.signal(signal) }
        let output = await program.finish(within: .seconds(60))
        #expect(output.status == 0 && output.standardError.isEmpty, "\(output.standardError)")
        let lines = output.standardOutput.split(separator: "\n")
        let events = try BellwireSystem.objects(output.standardOutput).compactMap { $0["event"] as? String }
        #expect(events.count == lines.count)
        #expect(events.contains("ready") && events.contains("stopping") && events.last == "stopped")
    }

    @Test func aWatchEndsQuietlyWithCtrlC() async throws {
        let system = try BellwireSystem()
        try await system.start()
        let watch = try await system.follow("record", "watch")
        _ = try await eventually("the subscription") { watch.objects.isEmpty ? nil : true }
        watch.program.child.signal(SIGINT)
        let output = await watch.program.finish(within: .seconds(10))
        #expect(output.status == 0 && output.standardError.isEmpty, "\(output.standardError)")
        await system.stop()
    }

    @Test func deletingAUserWithEverythingLeavesNothing() async throws {
        let system = try BellwireSystem()
        try await system.start()
        let callee = try await Subscriber.make(in: system, policy: "decline")
        try await SIPCaller(
            system: system, number: callee.number,
            steps: [.expect(100, optional: true), .expect(200), .acknowledge, .pause(milliseconds: 500), .hangUp]
        ).run()
        _ = try await eventually("the record") {
            try await callee.records.first { $0["state"] as? String == "unanswered" }
        }
        try await system.json("user", "delete", callee.identifier, "--cascade")
        #expect(try await system.json("record", "list", "--owner", callee.identifier).isEmpty)
        #expect(try await system.json("voicemail", "list", "--owner", callee.identifier).isEmpty)
        await system.stop()
    }

    @Test func nothingPersonalStandsInALog() async throws {
        let system = try BellwireSystem(settings: ["BELLWIRE_LOG_LEVEL": "debug"])
        try await system.start()
        let callee = try await Subscriber.make(in: system, policy: "decline")
        try await SIPCaller(
            system: system, number: callee.number,
            steps: [.expect(100, optional: true), .expect(200), .acknowledge, .pause(milliseconds: 500), .hangUp]
        ).run()
        _ = try await eventually("the record") {
            try await callee.records.first { $0["state"] as? String == "unanswered" }
        }
        await system.stop()
        var logs = system.supervisor.standardError
        let folder = system.runDirectory + "/log"
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            logs += String(decoding: FileManager.default.contents(atPath: folder + "/" + name) ?? Data(), as: UTF8.self)
        }
        #expect(logs.contains("service is running"))
        for secret in [String(callee.number.dropFirst()), "14155550100", "sip:", "\"Caller\"", "c=IN IP4"] {
            #expect(!logs.contains(secret), "\(secret) stands in a log")
        }
    }
}
