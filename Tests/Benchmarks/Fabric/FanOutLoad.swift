import Glibc
import Synchronization
import ZeroMQ

/// Messages of 300 bytes from one publisher to many subscriber connections. Each begins with the time it was sent.
enum FanOutLoad {
    static let messageBytes = 300
    private static let topic = UInt8(ascii: "m")
    /// Messages that one subscriber may be behind when the publisher goes as fast as it can.
    private static let window = 1000

    private struct Seen {
        var report = LoadReport()
    }

    static func publish(
        _ address: String, subscribers: Int, rate: Int, seconds: Int, progress: SharedProgress
    ) async throws {
        let publisher = try await Publisher(address: address)
        Main.say("ready")
        // A subscription takes a moment: knock until everyone has heard it. A knock says 0 for the time.
        let knock = [UInt8](repeating: 0, count: messageBytes)
        while progress.ready < subscribers {
            publisher.publish(knock, topic: topic)
            usleep(2000)
        }
        usleep(50_000)
        let base = progress.received
        let start = MonotonicTime.now()
        let stop = start + UInt64(seconds) * 1_000_000_000 + LoadReport.warmUp
        var sent = 0
        while true {
            let now = MonotonicTime.now()
            if now >= stop { break }
            let due = rate == 0 ? Int.max : Int((now - start) / 1000) * rate / 1_000_000
            let isBehind = rate == 0 && sent * subscribers - (progress.received - base) >= window * subscribers
            if sent >= due || isBehind {
                usleep(50)
                continue
            }
            publisher.publish(message(now), topic: topic)
            sent += 1
        }
        await publisher.close()
    }

    private static func message(_ time: UInt64) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: messageBytes) { bytes, count in
            UnsafeMutableRawBufferPointer(bytes).storeBytes(of: time, as: UInt64.self)
            for index in 8..<messageBytes { bytes[index] = 7 }
            count = messageBytes
        }
    }

    static func subscribe(
        _ address: String, subscribers: Int, seconds: Int, progress: SharedProgress
    ) async throws {
        let loop = try SocketLoop(name: "subscribers")
        let seen = Mutex(Seen())
        let began = Atomic<UInt64>(0)
        var all: [Subscriber] = []
        for _ in 0..<subscribers {
            let isReady = Atomic<Bool>(false)
            let subscriber = try await Subscriber(topic: topic, loop: loop) { message in
                let sent = message.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
                if sent == 0 {
                    if !isReady.exchange(true, ordering: .relaxed) { progress.markReady() }
                    return
                }
                let now = MonotonicTime.now()
                progress.receive(1)
                if began.load(ordering: .relaxed) == 0 { began.store(now, ordering: .relaxed) }
                seen.withLock { seen in
                    seen.report.total += 1
                    guard now >= began.load(ordering: .relaxed) + LoadReport.warmUp else { return }
                    seen.report.count += 1
                    if seen.report.count & 7 == 0 { seen.report.latencies.append(UInt32(clamping: now - sent)) }
                }
            }
            subscriber.connect(address)
            all.append(subscriber)
        }
        while began.load(ordering: .relaxed) == 0 { usleep(1000) }
        let stop = began.load(ordering: .relaxed) + UInt64(seconds) * 1_000_000_000 + LoadReport.warmUp
        while MonotonicTime.now() < stop { usleep(1000) }
        var report = seen.withLock { $0.report }
        report.seconds = Double(seconds)
        report.write()
        for subscriber in all { await subscriber.close() }
    }
}
