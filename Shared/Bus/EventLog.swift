public import Domain
public import Store

/// The log's ends, for those who read all that is kept.
public enum EventLog {
    /// Before the oldest event that is kept.
    public static func start(in database: Database) async throws -> ResumeToken? {
        guard let row = try await database.query("SELECT incarnation, trimmed FROM events.sequencer").first else {
            return nil
        }
        return ResumeToken(incarnation: try row.id("incarnation"), position: UInt64(try row.int64("trimmed")))
    }
}
