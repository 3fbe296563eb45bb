/// One statement on its way: queued, then in flight on a connection.
final class Job: Sendable {
    let text: String
    let parameters: [SQLValue]
    let promise = Promise<QueryResult>()

    init(_ sql: SQL) {
        text = sql.text
        parameters = sql.parameters
    }
}
