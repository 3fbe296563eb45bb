import FoundationEssentials

/// Writes log lines: one JSON object a line, with a static message and keys from `LogKey`.
public struct Logger: Sendable {
    public let level: LogLevel
    private let service: String
    private let instance: String
    private let sink: any LogSink

    /// - Parameter level: lines below it are dropped before anything is computed.
    public init(service: String, instance: String, level: LogLevel = .info, sink: any LogSink = StandardErrorSink()) {
        self.service = service
        self.instance = instance
        self.level = level
        self.sink = sink
    }

    public func debug(_ message: StaticString, _ fields: @autoclosure () -> [LogKey: LogValue] = [:]) {
        log(.debug, message, fields)
    }

    public func info(_ message: StaticString, _ fields: @autoclosure () -> [LogKey: LogValue] = [:]) {
        log(.info, message, fields)
    }

    public func notice(_ message: StaticString, _ fields: @autoclosure () -> [LogKey: LogValue] = [:]) {
        log(.notice, message, fields)
    }

    public func warning(_ message: StaticString, _ fields: @autoclosure () -> [LogKey: LogValue] = [:]) {
        log(.warning, message, fields)
    }

    public func error(_ message: StaticString, _ fields: @autoclosure () -> [LogKey: LogValue] = [:]) {
        log(.error, message, fields)
    }

    private func log(_ level: LogLevel, _ message: StaticString, _ fields: () -> [LogKey: LogValue]) {
        guard level >= self.level else { return }
        var line = LogLine()
        line.append("time", text: Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
        line.append("level", text: level.rawValue)
        line.append("service", text: service)
        line.append("instance", text: instance)
        line.append("message", text: message.description)
        for (key, value) in fields().sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            line.append(key.rawValue, value: value)
        }
        sink.write(line.finished())
    }
}
