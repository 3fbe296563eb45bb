import CPQ
import Glibc
import Runtime

/// One libpq connection in pipeline mode. Touched by the pool's thread only.
///
/// Each statement is followed by a Sync, so that the failure of one does not abort the next; in a transaction the
/// statements between BEGIN and COMMIT share the transaction all the same.
final class Connection {
    enum Phase: Equatable {
        case connecting
        case ready
        case failed(StoreError)
    }

    private struct InFlight {
        let job: Job
        var awaitsPrepare: Bool
        var result: QueryResult?
        var error: StoreError?
    }

    private let pointer: OpaquePointer
    private var statements = PreparedStatements()
    private var inFlight: [InFlight] = []
    private(set) var phase = Phase.connecting
    private(set) var interest: Poller.Interest = .writable
    /// Since when the oldest statement in flight is the oldest.
    private(set) var busySince: ContinuousClock.Instant?

    static let oldestServer = 150_000

    /// Nil when out of memory. Looking up a host name blocks the calling thread.
    init?(_ parameters: [(String, String)]) {
        let keys = parameters.map { UnsafePointer<CChar>(strdup($0.0)) } + [nil]
        let values = parameters.map { UnsafePointer<CChar>(strdup($0.1)) } + [nil]
        defer { for string in keys + values { free(UnsafeMutablePointer(mutating: string)) } }
        guard let pointer = PQconnectStartParams(keys, values, 1) else { return nil }
        self.pointer = pointer
        // An SQLSTATE says enough; messages may quote values.
        PQsetErrorVerbosity(pointer, PQERRORS_SQLSTATE)
        PQsetNoticeProcessor(pointer, { _, _ in }, nil)
        if PQstatus(pointer) == CONNECTION_BAD { phase = .failed(connectFailure()) }
    }

    deinit { PQfinish(pointer) }

    /// May change while connecting.
    var descriptor: Int32 { PQsocket(pointer) }

    var inFlightCount: Int { inFlight.count }

    // MARK: Connecting

    func connectFurther() {
        switch PQconnectPoll(pointer) {
        case PGRES_POLLING_READING: interest = .readable
        case PGRES_POLLING_WRITING: interest = .writable
        case PGRES_POLLING_OK:
            let version = Int(PQserverVersion(pointer))
            guard version >= Connection.oldestServer else { return fail(.serverTooOld(version: version)) }
            guard PQsetnonblocking(pointer, 1) == 0, PQenterPipelineMode(pointer) == 1 else {
                return fail(.unreachable)
            }
            interest = .readable
            phase = .ready
        default: phase = .failed(connectFailure())
        }
    }

    private func connectFailure() -> StoreError { Connection.connectFailure(pointer) }

    /// By the SQLSTATE, which is all that is left of the message at this verbosity.
    static func connectFailure(_ pointer: OpaquePointer) -> StoreError {
        let words = String(cString: PQerrorMessage(pointer)).split(whereSeparator: \.isWhitespace)
        guard let state = words.drop(while: { $0 != "FATAL:" }).dropFirst().first, state.utf8.count == 5
        else { return .unreachable }
        switch String(state) {
        case "53300": return .tooManyConnections
        case "57P03", "57P01", "57P02": return .unreachable
        case let state: return .notAuthorized(state: state)
        }
    }

    // MARK: Statements

    /// Queues a statement for sending; `flush` sends.
    func send(_ job: Job, now: ContinuousClock.Instant) {
        // Lost in this same turn of the loop, and not buried yet.
        guard phase == .ready else {
            job.promise.complete(.failure(StoreError.connectionLost))
            return
        }
        var awaitsPrepare = false
        let sent = withWireParameters(job.parameters) { values, lengths, formats in
            let count = Int32(job.parameters.count)
            switch statements.use(job.text) {
            case .prepared(let name):
                return PQsendQueryPrepared(pointer, name, count, values, lengths, formats, 0)
            case .prepare(let name):
                awaitsPrepare = true
                guard PQsendPrepare(pointer, name, job.text, 0, nil) == 1 else { return 0 }
                return PQsendQueryPrepared(pointer, name, count, values, lengths, formats, 0)
            case .unnamed:
                return PQsendQueryParams(pointer, job.text, count, nil, values, lengths, formats, 0)
            }
        }
        inFlight.append(InFlight(job: job, awaitsPrepare: awaitsPrepare))
        if busySince == nil { busySince = now }
        guard sent == 1, PQpipelineSync(pointer) == 1 else { return fail(.connectionLost) }
    }

    func flush() {
        switch PQflush(pointer) {
        case 0: interest = .readable
        case 1: interest = [.readable, .writable]
        default: fail(.connectionLost)
        }
    }

    /// Takes what the server has sent.
    func receive(now: ContinuousClock.Instant) {
        if PQconsumeInput(pointer) == 0 {
            // Results that came before the loss are still good.
            takeResults(now: now)
            return fail(.connectionLost)
        }
        takeResults(now: now)
        if PQstatus(pointer) == CONNECTION_BAD { fail(.connectionLost) }
    }

    private func takeResults(now: ContinuousClock.Instant) {
        while !inFlight.isEmpty, PQisBusy(pointer) == 0, PQstatus(pointer) == CONNECTION_OK {
            guard let result = PQgetResult(pointer) else { continue }
            switch PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC:
                PQclear(result)
                let finished = inFlight.removeFirst()
                busySince = inFlight.isEmpty ? nil : now
                finish(finished)
            case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE, PGRES_NONFATAL_ERROR:
                failFirst(Connection.error(of: result))
                PQclear(result)
            case PGRES_PIPELINE_ABORTED:
                PQclear(result)
            default:
                if inFlight[0].awaitsPrepare {
                    inFlight[0].awaitsPrepare = false
                    PQclear(result)
                } else {
                    inFlight[0].result = QueryResult(result)
                }
            }
        }
    }

    private func failFirst(_ error: StoreError) {
        guard inFlight[0].error == nil else { return }
        inFlight[0].error = error
        // Not prepared, unknown to the server, or its result's type has changed.
        if inFlight[0].awaitsPrepare || error == .sql(state: "26000") || error == .sql(state: "0A000") {
            statements.forget(inFlight[0].job.text)
        }
    }

    private func finish(_ finished: InFlight) {
        if let error = finished.error {
            finished.job.promise.complete(.failure(error))
        } else if let result = finished.result {
            finished.job.promise.complete(.success(result))
        } else {
            finished.job.promise.complete(.failure(StoreError.connectionLost))
        }
    }

    /// Ends the connection's use; what is in flight fails, its outcome unknown.
    func fail(_ error: StoreError) {
        if case .failed = phase { return }
        phase = .failed(error)
        let lost = inFlight
        inFlight = []
        for flight in lost {
            flight.job.promise.complete(.failure(flight.error ?? (error == .stopped ? .stopped : .connectionLost)))
        }
    }

    private static func error(of result: OpaquePointer) -> StoreError {
        guard let state = field("C", of: result) else { return .connectionLost }
        // A violated NOT NULL has no constraint's name, but a column's.
        return StoreError(state: state, constraint: field("n", of: result) ?? field("c", of: result))
    }

    /// - Parameter code: libpq's `PG_DIAG_...`, which are characters.
    static func field(_ code: Character, of result: OpaquePointer) -> String? {
        PQresultErrorField(result, Int32(code.asciiValue!)).map { String(cString: $0) }
    }

    /// Blocks until the descriptor is ready; false after the limit.
    static func wait(_ descriptor: Int32, readable: Bool, seconds: Int32) -> Bool {
        var wanted = pollfd(fd: descriptor, events: Int16(readable ? POLLIN : POLLOUT), revents: 0)
        return poll(&wanted, 1, seconds * 1000) == 1
    }
}
