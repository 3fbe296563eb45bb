/// What the event bus does where a transaction that has published an event commits.
package struct PublishHook: Sendable {
    /// Goes out together with the COMMIT, unless another transaction of this process is at it.
    let statement: SQL
    /// After the commit, with the statement's rows; with none where it was left out.
    let committed: @Sendable ([Row]) -> Void

    package init(statement: SQL, committed: @escaping @Sendable ([Row]) -> Void) {
        self.statement = statement
        self.committed = committed
    }
}
