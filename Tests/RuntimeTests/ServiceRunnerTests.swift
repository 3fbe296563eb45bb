import Observability
import Runtime
import Synchronization
import Testing

private final class Journal: Sendable {
    private let storage = Mutex<[String]>([])
    var entries: [String] { storage.withLock { $0 } }
    func write(_ entry: String) { storage.withLock { $0.append(entry) } }
}

private struct Part: Component {
    enum Fault: Error { case broken }
    let name: String
    let journal: Journal
    var isBroken = false
    var hangs = false

    func start() async throws {
        if isBroken { throw Fault.broken }
        journal.write("+\(name)")
    }

    func stop() async {
        // Longer than any test: only a cut-off gets past it.
        if hangs { try? await Task.sleep(for: .seconds(3600)) }
        journal.write("-\(name)")
    }
}

private struct Looking: Component {
    let name = "looking"
    let look: @Sendable () -> Void

    func start() async throws { look() }
    func stop() async { look() }
}

@Suite struct ServiceRunnerTests {
    private let journal = Journal()

    private func runner(_ stop: StopRequest, drain: Duration = .seconds(60)) -> ServiceRunner {
        ServiceRunner(
            logger: Logger(service: "test", instance: "test-1", sink: MemorySink()), stopRequest: stop, drain: drain)
    }

    @Test func startsInOrderAndStopsInReverse() async throws {
        let stop = try StopRequest(watchingSignals: false)
        async let status = runner(stop).run([Part(name: "a", journal: journal), Part(name: "b", journal: journal)])
        while journal.entries.count < 2 { await Task.yield() }
        stop.request()
        stop.request()
        #expect(await status == 0)
        #expect(journal.entries == ["+a", "+b", "-b", "-a"])
    }

    @Test func runsOnlyOnceThatTheLastPartHasStarted() async throws {
        let stop = try StopRequest(watchingSignals: false)
        let runner = runner(stop)
        let seen = Mutex<[Bool]>([])
        let look: @Sendable () -> Void = { seen.withLock { $0.append(runner.isRunning) } }
        async let status = runner.run([Looking(look: look), Looking(look: look)])
        while !runner.isRunning { await Task.yield() }
        stop.request()
        #expect(await status == 0)
        // At both starts and both stops.
        #expect(seen.withLock { $0 } == [false, false, false, false])
        let broken = self.runner(try StopRequest(watchingSignals: false))
        #expect(await broken.run([Part(name: "a", journal: journal, isBroken: true)]) == 1)
        #expect(!broken.isRunning)
    }

    @Test func aPartThatCannotStartStopsTheOthers() async throws {
        let stop = try StopRequest(watchingSignals: false)
        let parts = [
            Part(name: "a", journal: journal), Part(name: "b", journal: journal, isBroken: true),
            Part(name: "c", journal: journal),
        ]
        #expect(await runner(stop).run(parts) == 1)
        #expect(journal.entries == ["+a", "-a"])
    }

    @Test func theDrainIsBounded() async throws {
        let stop = try StopRequest(watchingSignals: false)
        stop.request()
        var part = Part(name: "a", journal: journal)
        part.hangs = true
        let second = try StopRequest(watchingSignals: false)
        async let status = runner(second, drain: .milliseconds(1)).run([part])
        while journal.entries.isEmpty { await Task.yield() }
        second.request()
        #expect(await status == 1)
        #expect(journal.entries == ["+a"])
    }
}
