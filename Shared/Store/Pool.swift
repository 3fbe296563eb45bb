import Observability

final class Pool: Sendable {
    init(_ configuration: DatabaseConfiguration, logger: Logger, counters: Counters) {}
    func start() async throws { fatalError("to come") }
    func stop() async { fatalError("to come") }
    func run(_ sql: SQL) async throws -> QueryResult { fatalError("to come") }
    func lend() async throws -> PoolLease { fatalError("to come") }
    var isReachable: Bool { fatalError("to come") }
}

final class PoolLease: Sendable {
    func run(_ sql: SQL) async throws -> QueryResult { fatalError("to come") }
    func begin() async throws { fatalError("to come") }
    func finish(_ statement: String) async throws { fatalError("to come") }
    func abandon() { fatalError("to come") }
}

final class QueryResult: Sendable {
    var rows: [Row] { fatalError("to come") }
    var touched: Int { 0 }
    func text(row: Int, column: String) throws -> String? { nil }
}
