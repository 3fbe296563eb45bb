/// Carries what belongs to a loop's thread through other threads, which do not touch it.
struct LoopOwned<Value>: @unchecked Sendable {
    // `@unchecked`: `value` is read on the loop's thread only.
    let value: Value

    init(_ value: Value) { self.value = value }
}

extension SocketLoop {
    /// Runs the closure on the loop's thread and returns its result. Runs it here when the loop has ended.
    public func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withUnsafeContinuation { continuation in
            if !post({ continuation.resume(returning: body()) }) { continuation.resume(returning: body()) }
        }
    }
}
