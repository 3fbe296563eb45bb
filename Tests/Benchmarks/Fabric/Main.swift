import Glibc
import Observability
import Store

/// The fabric's side of the measurements: one role of one measure a process. The runner starts the peers alike.
///
///     serve ADDRESS [curve]                       answers `echo` and `flow` until it is killed
///     echo ADDRESS IN-FLIGHT SECONDS [pool|curve] calls with so many in flight
///     flow ADDRESS CHUNK-BYTES SECONDS            reads a stream
///     publish ADDRESS SUBSCRIBERS RATE SECONDS PROGRESS   RATE 0: as fast as they are received
///     subscribe ADDRESS SUBSCRIBERS SECONDS PROGRESS
///     migrate URL
///     append URL DIRECTORY IN-FLIGHT SECONDS PROGRESS
///     handle URL DIRECTORY SECONDS PROGRESS
@main enum Main {
    static let logger = Logger(service: "bench", instance: "bench-1", level: .error)

    static func main() async throws {
        let arguments = CommandLine.arguments
        func text(_ index: Int) -> String {
            guard index < arguments.count else { usage() }
            return arguments[index]
        }
        func number(_ index: Int) -> Int {
            guard let number = Int(text(index)) else { usage() }
            return number
        }
        switch text(1) {
        case "serve": try await RPCLoad.serve(text(2), curve: arguments.contains("curve"))
        case "echo":
            try await RPCLoad.echo(
                text(2), inFlight: number(3), seconds: number(4), onPool: arguments.contains("pool"),
                curve: arguments.contains("curve"))
        case "flow": try await RPCLoad.flow(text(2), chunkBytes: number(3), seconds: number(4))
        case "publish":
            try await FanOutLoad.publish(
                text(2), subscribers: number(3), rate: number(4), seconds: number(5),
                progress: SharedProgress(text(6)))
        case "subscribe":
            try await FanOutLoad.subscribe(
                text(2), subscribers: number(3), seconds: number(4), progress: SharedProgress(text(5)))
        case "migrate": _ = try await Migrator.migrate(url: text(2), logger: logger)
        case "append":
            try await DurableLoad.append(
                text(2), directory: text(3), inFlight: number(4), seconds: number(5),
                progress: SharedProgress(text(6)))
        case "handle":
            try await DurableLoad.handle(
                text(2), directory: text(3), seconds: number(4), progress: SharedProgress(text(5)))
        default: usage()
        }
        exit(0)
    }

    /// Tells the runner, on a line of its own, at once.
    static func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    private static func usage() -> Never {
        let text = "bellwire-bench: wrong usage, see Main.swift\n"
        write(STDERR_FILENO, text, text.utf8.count)
        exit(64)
    }
}
