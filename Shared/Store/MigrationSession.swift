import CPQ

/// A blocking connection, for the migrator's thread alone.
final class MigrationSession {
    private let pointer: OpaquePointer

    init(url: String) throws {
        guard let pointer = PQconnectStart(url) else { throw StoreError.unreachable }
        self.pointer = pointer
        PQsetErrorVerbosity(pointer, PQERRORS_SQLSTATE)
        PQsetNoticeProcessor(pointer, { _, _ in }, nil)
        // Only to hear the SQLSTATE of a refused log-in: the settings above have to be made before connecting.
        try waitForConnection()
        let version = Int(PQserverVersion(pointer))
        guard version >= Connection.oldestServer else { throw StoreError.serverTooOld(version: version) }
    }

    deinit { PQfinish(pointer) }

    private func waitForConnection() throws {
        var next = PGRES_POLLING_WRITING
        while next != PGRES_POLLING_OK {
            guard next == PGRES_POLLING_READING || next == PGRES_POLLING_WRITING, PQstatus(pointer) != CONNECTION_BAD,
                Connection.wait(PQsocket(pointer), readable: next == PGRES_POLLING_READING, seconds: 10)
            else { throw Connection.connectFailure(pointer) }
            next = PQconnectPoll(pointer)
        }
    }

    func run(_ sql: String) throws {
        try MigrationSession.check(PQexec(pointer, sql)) { StoreError(state: $0, constraint: nil) }
    }

    /// Many statements, as a file holds them.
    func runFile(_ migration: Migration) throws {
        try MigrationSession.check(PQexec(pointer, migration.text)) { state, position in
            let before = migration.text.unicodeScalars.prefix(max(0, position - 1))
            return MigrationError.failed(
                migration.name, state: state, line: position > 0 ? before.count { $0 == "\n" } + 1 : 0)
        }
    }

    func rows(_ sql: String, _ parameters: [String] = []) throws -> [[String]] {
        let result = withWireParameters(parameters.map(SQLValue.text)) { values, lengths, formats in
            PQexecParams(pointer, sql, Int32(parameters.count), nil, values, lengths, formats, 0)
        }
        var rows: [[String]] = []
        if let result, PQresultStatus(result) == PGRES_TUPLES_OK {
            for row in 0..<PQntuples(result) {
                rows.append((0..<PQnfields(result)).map { String(cString: PQgetvalue(result, row, $0)) })
            }
        }
        try MigrationSession.check(result) { StoreError(state: $0, constraint: nil) }
        return rows
    }

    private static func check(_ result: OpaquePointer?, _ error: (String) -> any Error) throws {
        try check(result) { state, _ in error(state) }
    }

    private static func check(_ result: OpaquePointer?, _ error: (String, Int) -> any Error) throws {
        guard let result else { throw StoreError.connectionLost }
        defer { PQclear(result) }
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: return
        default:
            guard let state = Connection.field("C", of: result) else { throw StoreError.connectionLost }
            throw error(state, Connection.field("P", of: result).flatMap { Int($0) } ?? 0)
        }
    }
}
