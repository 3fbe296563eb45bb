import Testing

/// Asks until the answer is there. The limit only bounds a test that fails.
func eventually<Value>(
    _ what: String, within limit: Duration = .seconds(30), every pause: Duration = .milliseconds(50),
    sourceLocation: SourceLocation = #_sourceLocation, _ answer: () async throws -> Value?
) async throws -> Value {
    let deadline = ContinuousClock.now + limit
    while ContinuousClock.now < deadline {
        if let value = try await answer() { return value }
        try await Task.sleep(for: pause)
    }
    Issue.record("\(what) did not happen within \(limit)", sourceLocation: sourceLocation)
    throw DidNotHappen(what: what)
}

struct DidNotHappen: Error {
    let what: String
}
