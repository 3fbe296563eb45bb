import Foundation
import Synchronization

/// Where log lines go. A line is written whole or not at all; a sink that cannot keep up drops, it never blocks a call.
public protocol LogSink: Sendable {
    func write(_ line: [UInt8])
}

/// The process's standard error.
public struct StandardErrorSink: LogSink {
    public init() {}

    public func write(_ line: [UInt8]) {
        // A reader that went away must not end the process; it ignores SIGPIPE, so a failed write is all that happens.
        try? FileHandle.standardError.write(contentsOf: Data(line))
    }
}

/// Keeps lines in memory, for tests.
public final class MemorySink: LogSink {
    private let storage = Mutex<[String]>([])

    public init() {}

    public func write(_ line: [UInt8]) {
        storage.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
    }

    public var lines: [String] { storage.withLock { $0 } }
}
