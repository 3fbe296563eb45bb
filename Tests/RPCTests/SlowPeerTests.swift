import Observability
import RPC
import Testing
import ZeroMQ

@Suite("A client that does not read") struct SlowPeerTests {
    @Test("gets every answer once it reads, however full its queues were", .timeLimit(.minutes(1)))
    func nothingLost() async throws {
        let rig = try Rig()
        let server = try await rig.server()
        let loop = try SocketLoop(name: "slow")
        let address = rig.endpoint("test-1").address
        let count = 30_000
        let (served, done) = (Gate(), Gate())
        let wrong = Tally()
        let echoed = rig.counters.counter(
            "rpc_requests_total", ["method": TestService.echo.fullName, "status": "ok"])
        await loop.run {
            guard let socket = try? ZeroMQSocket(.dealer) else { return }
            try? socket.setHighWaterMark(send: 0, receive: 100)
            try? socket.connect(address)
            for id in 1...UInt64(count) {
                var frame = Frame(.request, callID: id)
                frame.method = TestService.echo.wireID
                let payload = Self.text(id)
                _ = payload.withUnsafeBytes { payload in frame.withHeader { socket.send($0, payload) } }
            }
            var seen = Set<UInt64>()
            loop.setTimer(due: 0) { now in
                // Reads nothing before all were answered.
                guard echoed.value == count else { return now + 1_000_000 }
                served.open()
                loop.add(socket) {
                    var worked = false
                    while let ids = socket.receive({ part, _ in Self.answered(part) }) {
                        worked = true
                        for id in ids where id == 0 || !seen.insert(id).inserted { wrong.add() }
                        if seen.count == count { done.open() }
                    }
                    return worked
                }
                return .max
            }
        }
        await served.wait()
        await done.wait()
        #expect(wrong.value == 0)
        #expect(rig.counter("rpc_delayed_frames_total") > 0)
        await loop.stop()
        await rig.end(server)
        #expect(rig.counters.gauge("rpc_in_flight").value == 0)
    }

    /// Long enough that the answers fill every queue on their way, many though they are in one message.
    private static func text(_ id: UInt64) -> [UInt8] {
        let number = Array("\(id)".utf8)
        return number + [UInt8](repeating: UInt8(ascii: "."), count: 2000 - number.count)
    }

    /// The ids of right answers; 0 for a wrong one.
    private static func answered(_ part: UnsafeRawBufferPointer) -> [UInt64] {
        var ids: [UInt64] = []
        let garbage = FrameBatch.read(part) { frame in
            let isRight =
                frame.kind == .response && frame.status == .ok && frame.payload.elementsEqual(text(frame.callID))
            ids.append(isRight ? frame.callID : 0)
        }
        return garbage == 0 ? ids : [0]
    }
}
