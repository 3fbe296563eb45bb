import Foundation
import Observability
import Testing

private struct Secret: RedactedInLogs {
    let redacted = "***"
}

private struct Chatty: Error, CustomStringConvertible {
    let description = "caller +12025550123 said no"
}

@Suite struct LoggerTests {
    private func line(_ fields: [LogKey: LogValue]) throws -> [String: Any] {
        let sink = MemorySink()
        Logger(service: "calls", instance: "calls-1", sink: sink).info("call is ringing", fields)
        let text = try #require(sink.lines.first)
        #expect(text.hasSuffix("}\n") && text.filter { $0 == "\n" }.count == 1)
        return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test func writesOneJSONObjectALine() throws {
        let line = try line([
            .call: .id("x"), .count: .int(-3), .state: .slug("ringing"), .port: .bool(true),
            .duration: .duration(.microseconds(1_500_002)),
        ])
        #expect(line["message"] as? String == "call is ringing")
        #expect(line["service"] as? String == "calls")
        #expect(line["instance"] as? String == "calls-1")
        #expect(line["call"] as? String == "x")
        #expect(line["count"] as? Int == -3)
        #expect(line["port"] as? Bool == true)
        #expect(line["duration"] as? Double == 1500.002)
        #expect((line["time"] as? String)?.hasSuffix("Z") == true)
    }

    @Test func keepsAnyTextOnItsLine() throws {
        let nasty = "a\"b\\c\n\u{1}\u{7f}é"
        #expect(try line([.path: .trusted(nasty)])["path"] as? String == nasty)
    }

    @Test func redactsByType() throws {
        let line = try line([
            .caller: .redacted(Secret()), .callee: .redacted(Redacted("+12025550123")), .error: .error(Chatty()),
        ])
        #expect(line["caller"] as? String == "***")
        #expect(!"\(line)".contains("2025550123"))
    }

    @Test func dropsLinesBelowItsLevelWithoutComputingThem() {
        let sink = MemorySink()
        let logger = Logger(service: "calls", instance: "calls-1", level: .warning, sink: sink)
        var isComputed = false
        logger.info(
            "not written",
            {
                isComputed = true
                return [:]
            }())
        logger.error("written")
        #expect(sink.lines.count == 1 && !isComputed)
    }
}

@Suite struct CountersTests {
    @Test func countsByNameAndLabels() {
        let counters = Counters()
        counters.counter("calls_total", ["termination": "noAnswer"]).increment()
        counters.counter("calls_total", ["termination": "noAnswer"]).increment(by: 2)
        counters.counter("calls_total", ["termination": "busy"]).increment()
        counters.gauge("calls_active").add(5)
        counters.gauge("calls_active").add(-5)
        #expect(
            counters.snapshot() == [
                CounterSample(name: "calls_active", labels: [:], value: 0, isGauge: true),
                CounterSample(name: "calls_total", labels: ["termination": "busy"], value: 1, isGauge: false),
                CounterSample(name: "calls_total", labels: ["termination": "noAnswer"], value: 3, isGauge: false),
            ])
    }
}
