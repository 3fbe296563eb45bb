import Foundation
import Synchronization
import Testing
import ZeroMQ

@Suite("A loop and its sockets") struct SocketLoopTests {
    private struct Owned: @unchecked Sendable { let socket: ZeroMQSocket }

    @Test("A socket that is closed is watched no more, its successor is", .timeLimit(.minutes(1)))
    func closed() async throws {
        let loop = try SocketLoop(name: "closing")
        let looks = Atomic<Int>(0)
        for _ in 0..<50 {
            let owned = await loop.run { () -> Owned? in
                guard let socket = try? ZeroMQSocket(.dealer) else { return nil }
                loop.add(socket) {
                    looks.add(1, ordering: .relaxed)
                    return false
                }
                return Owned(socket: socket)
            }
            let socket = try #require(owned)
            while looks.load(ordering: .relaxed) == 0 { await loop.run {} }
            let left = await loop.run { () -> Int in
                socket.socket.close()
                return looks.exchange(0, ordering: .relaxed)
            }
            #expect(left > 0)
            for _ in 0..<3 { await loop.run {} }
            #expect(looks.exchange(0, ordering: .relaxed) == 0)
        }
        await loop.stop()
    }

    @Test("A socket outlives the loop that watched it") func outlives() async throws {
        let loop = try SocketLoop(name: "ending")
        let owned = await loop.run { () -> Owned? in
            guard let socket = try? ZeroMQSocket(.dealer) else { return nil }
            loop.add(socket) { false }
            return Owned(socket: socket)
        }
        await loop.stop()
        try #require(owned).socket.close()
    }
}
