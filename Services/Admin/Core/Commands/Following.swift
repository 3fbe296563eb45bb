package import RPC
import Runtime
import WireFormat

/// Reads a resumable stream for as long as it is wanted: when it breaks, it is opened again after the last token seen, so
/// that nothing is missed and nothing is shown twice.
package struct Following: Sendable {
    package let output: Output
    private let backoff: RestartBackoff

    package init(
        output: Output,
        backoff: RestartBackoff = RestartBackoff(
            first: .milliseconds(100), longest: .seconds(2), healthyAfter: .seconds(5))
    ) {
        self.output = output
        self.backoff = backoff
    }

    /// - Parameters:
    ///   - token: where to begin; "" for now.
    ///   - open: opens the stream after a token.
    ///   - handle: shows a message; returns its token, "" when it has none.
    /// - Throws: what the stream fails with for good; also when it could never be opened.
    package func run<Messages: AsyncSequence>(
        after token: String, open: (_ token: String) -> Messages, handle: (Messages.Element) throws -> String
    ) async throws where Messages.Failure == RPCError {
        var token = token
        var backoff = backoff
        var wasOpen = false
        var isBroken = false
        while true {
            let opened = ContinuousClock.now
            do {
                for try await message in open(token) {
                    if isBroken {
                        output.note("connected again")
                        isBroken = false
                    }
                    wasOpen = true
                    let next = try handle(message)
                    if !next.isEmpty { token = next }
                }
            } catch let error as RPCError {
                // The end that was asked for looks like a broken stream.
                try Task.checkCancellation()
                guard wasOpen, error.isPassing else { throw error }
            }
            try Task.checkCancellation()
            if !isBroken { output.note("the connection broke; connecting again") }
            isBroken = true
            try await Task.sleep(for: backoff.ended(after: opened.duration(to: .now)))
        }
    }
}

extension RPCError {
    /// A later attempt may succeed.
    package var isPassing: Bool {
        switch code {
        case .unavailable, .deadlineExceeded, .cancelled, .aborted, .resourceExhausted, .internal, .unknown: true
        default: false
        }
    }

    /// The exit status that says what happened.
    package var exitStatus: Int32 {
        code == .unavailable || code == .deadlineExceeded ? ExitStatus.unavailable : ExitStatus.failure
    }
}
