import Bus
import Foundation
import Observability
import RPC
import Runtime
import Store
import Synchronization
import Wire
import ZeroMQ

enum UpCommand {
    static let command = Command(
        CommandSpec(
            "up", "Run the whole system on this machine",
            options: [.flag("no-demo", "Place no demo call (also DEMO=0)")],
            discussion: """
                Starts a private PostgreSQL (unless BELLWIRE_DATABASE_URL is given), rtpengine and every service; restarts what
                ends; stays until Ctrl-C. All state lies in .run (BELLWIRE_RUN_DIR); everything binds BELLWIRE_HOST.
                """, example: "--no-demo")
    ) { session in
        let output = session.output
        let stop = try StopRequest(watchingSignals: true)
        let settings = try UpSettings(session.configuration)
        let logger = try session.logger
        let lost = LostOutput()
        // The system goes on where nobody can read what it says; the exit status tells.
        let report: @Sendable (UpReport) -> Void = { report in
            lost.watch(output) { try output.json ? output.line(report.json) : output.write(report.text + "\n") }
        }
        let link = SystemLink(logger: logger, curve: try CurveCredentials.read(session.configuration))
        let supervisor = Supervisor(
            settings: settings, executables: CommandSession.executableFolder, spawner: try ChildSpawner(),
            report: report,
            connect: { url in try await link.connect(url) })
        let wantsDemo = ProcessInfo.processInfo.environment["DEMO"] != "0" && !session.invocation.has("no-demo")
        let status = await SupervisedRun.run(supervisor, until: stop, complain: { output.complain($0) }) {
            report(
                UpReport(
                    "up", "Bellwire is up on \(settings.host); its state and logs are in \(settings.directory.path).",
                    [
                        .init("host", .string(settings.host)),
                        .init("runDirectory", .string(settings.directory.path)),
                    ]))
            guard wantsDemo, let connection = await link.connection else {
                if !output.json { report(.message("Ctrl-C ends it.")) }
                return
            }
            await Demo(settings: settings, connection: connection, report: report).run()
        }
        return status == ExitStatus.success && lost.isLost ? ExitStatus.output : status
    }
}

/// Whether anything could not be told.
private final class LostOutput: Sendable {
    private let state = Mutex(false)

    var isLost: Bool { state.withLock { $0 } }

    /// The first failure is told on standard error. A reader that went away, as `| head -1` does, is none.
    func watch(_ output: Output, _ write: () throws -> Void) {
        do {
            try write()
        } catch is OutputClosed {
            return
        } catch {
            let isFirst = state.withLock { isLost in
                defer { isLost = true }
                return !isLost
            }
            if isFirst { output.complain(Complaint(error)) }
        }
    }
}

/// The supervisor's own connection to the system it brings up.
private actor SystemLink {
    private let logger: Logger
    private let curve: CurveCredentials?
    private(set) var connection: Connection?

    init(logger: Logger, curve: CurveCredentials?) {
        self.logger = logger
        self.curve = curve
    }

    func connect(_ databaseURL: String) async throws -> Supervisor.Backend {
        let logger = logger
        return Supervisor.Backend(
            migrate: {
                try await Migrator.migrate(url: databaseURL, logger: logger)
                try await self.open(databaseURL)
            },
            isReady: { service, process in await self.isReady(service, process) },
            stop: { await self.close() })
    }

    private func open(_ databaseURL: String) async throws {
        connection = try await Connection(databaseURL: databaseURL, curve: curve, logger: logger)
    }

    private func close() async {
        await connection?.stop()
        connection = nil
    }

    /// An instance that a predecessor left registered under the same name has another process id.
    private func isReady(_ service: String, _ process: Int32) async -> Bool {
        guard let connection else { return false }
        await connection.membership.refresh()
        for endpoint in connection.membership.instances(of: service) {
            if let status = try? await connection.status(of: endpoint, deadline: .milliseconds(500)),
                status.ready, status.processID == UInt32(process)
            {
                return true
            }
        }
        return false
    }
}
