import Foundation
import RPC
import Runtime
import Wire

/// The first call of a fresh system: sipp calls a number that nobody answers and leaves a message; every event is shown as
/// it happens, and the message is saved.
struct Demo: Sendable {
    let settings: UpSettings
    let connection: Connection
    let report: @Sendable (UpReport) -> Void

    private static let sipp = "/usr/bin/sipp"
    /// What the caller says after the greeting and the beep.
    private static let messageMilliseconds = 5_000

    private var folder: String { settings.directory.file("demo") }

    func run() async {
        do {
            guard FileManager.default.isExecutableFile(atPath: Self.sipp) else {
                throw CommandFailure("\(Self.sipp) is missing (package sip-tester)")
            }
            let account = try await DemoAccount.prepare(connection.directory)
            report(
                .message(
                    "\nDemo account `\(DemoAccount.name)`\(account.isNew ? " made" : ""): user `\(DemoAccount.identity)`, "
                        + "number \(DemoNumbers.callee). A caller rings it now; nobody will answer.\n"))
            let voicemail = try await call(account.user)
            try await finish(voicemail)
        } catch is CancellationError {
            return
        } catch {
            guard !Task.isCancelled else { return }
            report(.message("The demo call did not work: \(error). The system itself is up; Ctrl-C ends it."))
        }
    }

    /// Places the call and follows it to the record that has the voicemail.
    private func call(_ user: DirectoryV1.User) async throws -> VoicemailV1.Voicemail {
        var request = NotificationsV1.SubscribeRequest()
        request.topics = [.calls, .records, .voicemails]
        request.owner = user.id
        let stream = connection.notifications.subscribe(request)
        let spawner = try ChildSpawner()
        let demo = self
        return try await withThrowingTaskGroup(of: VoicemailV1.Voicemail.self) { group in
            group.addTask {
                var voicemail: VoicemailV1.Voicemail?
                for try await update in stream {
                    switch update.change {
                    case .subscribed: try await demo.placeCall(user, spawner)
                    case .call(let event):
                        if let call = event.call { demo.report(.update("calls", EventLine.text(call), call)) }
                    case .record(let event):
                        guard let record = event.record else { continue }
                        demo.report(.update("records", EventLine.text(record, deleted: event.deleted), record))
                        if let voicemail, record.voicemail?.id == voicemail.id { return voicemail }
                    case .voicemail(let event):
                        guard let left = event.voicemail else { continue }
                        demo.report(.update("voicemails", EventLine.text(left, deleted: event.deleted), left))
                        voicemail = left
                    default: continue
                    }
                }
                throw CommandFailure("the event stream ended")
            }
            group.addTask {
                try await Task.sleep(for: .seconds(90))
                throw CommandFailure("no voicemail arrived within 90 s; see \(demo.settings.directory.file("log"))")
            }
            guard let voicemail = try await group.next() else { throw CancellationError() }
            group.cancelAll()
            return voicemail
        }
    }

    private func placeCall(_ user: DirectoryV1.User, _ spawner: ChildSpawner) async throws {
        var request = VoicemailV1.GetGreetingRequest()
        request.owner = user.id
        let greeting = try await connection.voicemails.getGreeting(request).durationMilliseconds
        try settings.directory.make("demo")
        try PrivateFile.write(DemoScenario.text, to: folder + "/call.xml")
        try Data(DemoTone.muLaw).write(to: URL(fileURLWithPath: folder + "/" + DemoTone.fileName))

        var sipp = ChildProcessRequest(
            executable: Self.sipp,
            arguments: [
                "\(settings.sipAddresses[0])", "-sf", "call.xml", "-s", DemoNumbers.callee, "-i",
                settings.host,
                "-m", "1", "-nostdin", "-timeout", "90", "-trace_err", "-error_file", "errors.log",
                "-d", "\(Int(greeting) + 1_500 + Self.messageMilliseconds)",
            ], environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C", "TERM": "dumb"], directory: folder)
        let log = try LogFile(folder: settings.directory.file("log"), name: "demo-call").open()
        let nothing = OwnedDescriptor(try SystemCalls.open("/dev/null", O_RDONLY | O_CLOEXEC))
        sipp.standardInput = nothing.number
        sipp.standardOutput = log.number
        sipp.standardError = log.number
        let child = try await spawner.spawn(sipp)
        Task {
            let status = await child.exitStatus
            if status != 0 { report(.message("sipp ended with status \(status); see \(folder)/errors.log")) }
            // The children of a spawner end with it.
            withExtendedLifetime(spawner) {}
        }
    }

    private func finish(_ voicemail: VoicemailV1.Voicemail) async throws {
        let path = folder + "/voicemail.wav"
        _ = try await VoicemailDownload.save(voicemail.id, to: path, connection)
        let bellwire = CommandSession.executableFolder + "/bellwire"
        let isFound = settings.directory.path == CommandSession.checkoutRun?.path
        let text = """

            The message is in \(path); any player opens it. Try next, in another terminal:

              \(isFound ? "" : "export BELLWIRE_RUN_DIR='\(settings.directory.path)'\n  ")\(bellwire) status
              \(bellwire) record list
              \(bellwire) voicemail list
              \(bellwire) events tail --after start
              \(bellwire) user create bob --account \(DemoAccount.name) --ring-time 20
              \(bellwire) number create +12025550124 --account \(DemoAccount.name) --owner bob

            and call sip:\(DemoNumbers.callee)@\(settings.sipAddresses[0]) with a SIP phone. Ctrl-C here ends it all.
            """
        report(UpReport("saved", text, [.init("id", .string(voicemail.id)), .init("file", .string(path))]))
    }
}

extension UpReport {
    /// A change that the demo call made, with all that `watch` shows.
    fileprivate static func update(_ topic: String, _ text: String, _ item: some Presentable) -> UpReport {
        UpReport("updated", text, [.init("topic", .string(topic))] + item.fields)
    }
}
