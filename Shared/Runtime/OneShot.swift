import Synchronization

/// Resumes a continuation once, whoever comes first.
package final class OneShot<Value: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Value, Never>?>

    init(_ continuation: CheckedContinuation<Value, Never>) { self.continuation = Mutex(continuation) }

    func resume(returning value: Value) {
        continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }?.resume(returning: value)
    }
}

extension OneShot where Value == Bool {
    /// True when the task ends within the limit. A task group would wait for the task all the same, so it is not one.
    package static func race(_ task: Task<Void, Never>, limit: Duration) async -> Bool {
        await withCheckedContinuation { continuation in
            let first = OneShot(continuation)
            let timer = Task {
                try? await Task.sleep(for: limit)
                first.resume(returning: false)
            }
            Task {
                await task.value
                timer.cancel()
                first.resume(returning: true)
            }
        }
    }
}
