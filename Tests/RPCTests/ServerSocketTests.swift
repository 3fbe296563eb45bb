import Foundation
import Glibc
import Observability
import RPC
import Synchronization
import Testing
import ZeroMQ

@Suite("The server's socket") struct ServerSocketTests {
    @Test("an address in use is named; a socket file left behind is not in the way") func addresses() async throws {
        let rig = try Rig()
        let server = try await rig.server()
        let address = rig.endpoint("test-1").address
        await #expect(throws: RPCServerError.addressInUse(address)) { try await rig.server() }
        let path = address.dropFirst(6)
        let mode = try FileManager.default.attributesOfItem(atPath: String(path))[.posixPermissions] as? Int
        #expect(mode == 0o600)
        await server.stop()
        #expect(!FileManager.default.fileExists(atPath: String(path)))
        _ = FileManager.default.createFile(atPath: String(path), contents: nil)
        let again = try await rig.server()
        rig.resolver.set([rig.endpoint("test-1")])
        let answer = try await rig.client.call(TestService.echo, "yes")
        #expect(answer == "yes")
        await rig.end(again)
        for bad in ["ipc://relative", "ipc:///" + String(repeating: "x", count: 120), "udp://1.2.3.4:5", ""] {
            let server = RPCServer(
                service: "t/1", address: bad, handlers: [], logger: rig.logger, counters: Counters())
            await #expect(throws: RPCServerError.badAddress(bad)) { try await server.start() }
        }
    }

    @Test("tcp works, with a port of the system's choice; one in use is named") func tcp() async throws {
        let rig = try Rig()
        @Sendable func server(_ address: String) -> RPCServer {
            RPCServer(
                service: "test/t", address: address, handlers: [TestService()], logger: rig.logger,
                counters: rig.counters)
        }
        let first = server("tcp://127.0.0.1:*")
        try await first.start()
        let address = first.address
        #expect(address.hasPrefix("tcp://127.0.0.1:"))
        await #expect(throws: RPCServerError.addressInUse(address)) { try await server(address).start() }
        rig.resolver.set([Endpoint(service: "test", instance: "t", address: address)])
        let answer = try await rig.client.call(TestService.echo, "over tcp")
        #expect(answer == "over tcp")
        await rig.end(first)
    }

    @Test("garbage is dropped and counted, and calls go on", .timeLimit(.minutes(1)), arguments: UInt64(0)..<4)
    func garbage(_ seed: UInt64) async throws {
        let rig = try Rig()
        let server = try await rig.server()
        rig.resolver.set([rig.endpoint("test-1")])
        let loop = try SocketLoop(name: "fuzz")
        let address = rig.endpoint("test-1").address
        let bad = Gate()
        let sent = await loop.run { () -> Int in
            var random = SeededGenerator(seed: seed)
            guard let socket = try? ZeroMQSocket(.dealer), (try? socket.connect(address)) != nil else { return 0 }
            try? socket.setHighWaterMark(send: 0, receive: 0)
            var count = 0
            for _ in 0..<5000 {
                var bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                // Often a plausible beginning, so that the later checks are met, too.
                if Bool.random(using: &random), bytes.count > 4 {
                    bytes.replaceSubrange(0..<4, with: [1, UInt8.random(in: 1...10, using: &random), 0, 0])
                }
                while socket.send(bytes, more: Int.random(in: 0..<20, using: &random) == 0) != .sent {}
                count += 1
            }
            // The reply to a ping says that all before it was read.
            while socket.send([], more: false) != .sent {}
            let ping = Frame(.ping).withHeader { [UInt8]($0) }
            while socket.send(ping) != .sent {}
            loop.add(socket) {
                var worked = false
                while socket.receive({ part, _ in FrameBatch.read(part) { if $0.kind == .pong { bad.open() } } }) != nil
                {
                    worked = true
                }
                return worked
            }
            return count
        }
        #expect(sent == 5000)
        await bad.wait()
        #expect(rig.counter("rpc_bad_frames_total") > 3000)
        let answer = try await rig.client.call(TestService.echo, "still here")
        #expect(answer == "still here")
        await loop.stop()
        await rig.end(server)
        #expect(rig.counters.gauge("rpc_in_flight").value == 0)
    }

    @Test("a client that goes away has its calls cancelled", .timeLimit(.minutes(1)))
    func clientGone() async throws {
        let (entered, cancelled) = (Gate(), Gate())
        let rig = try Rig()
        let server = try await rig.server(
            "test-1",
            TestService(count: { _, _, _ in
                entered.open()
                try await cancelled.openOnCancel()
            }))
        let resolver = TestResolver()
        resolver.set([rig.endpoint("test-1")])
        let client = try SilentClient(rig.endpoint("test-1").address)
        await client.request(TestService.count)
        await entered.wait()
        await client.close()
        await cancelled.wait()
        await rig.end(server)
    }

    @Test("a client that is silent has its calls cancelled", .timeLimit(.minutes(1)))
    func clientSilent() async throws {
        let (entered, cancelled) = (Gate(), Gate())
        let rig = try Rig()
        var options = RPCServerOptions()
        options.silenceLimit = .milliseconds(100)
        let server = try await rig.server(
            "test-1",
            TestService(count: { _, _, _ in
                entered.open()
                try await cancelled.openOnCancel()
            }), options: options)
        let client = try SilentClient(rig.endpoint("test-1").address)
        await client.request(TestService.count)
        await entered.wait()
        await cancelled.wait()
        await client.close()
        await rig.end(server)
    }

    @Test("a server that is silent fails its calls, and garbage from it harms nobody", .timeLimit(.minutes(1)))
    func serverSilent() async throws {
        let rig = try Rig(beat: .milliseconds(20))
        let loop = try SocketLoop(name: "silent")
        let path = "/tmp/bw-rpc-silent-\(UUID().uuidString.prefix(8))"
        let address = "ipc://\(path)"
        // The library leaves the file of a socket behind.
        defer { unlink(path) }
        await loop.run {
            guard let socket = try? ZeroMQSocket(.router), (try? socket.bind(address)) != nil else { return }
            var random = SeededGenerator(seed: 1)
            loop.add(socket) {
                var worked = false
                var identity: [UInt8] = []
                while let more = socket.receive({ part, more in
                    if more { identity = [UInt8](part) }
                    return more
                }) {
                    worked = true
                    guard !more else { continue }
                    // Garbage is no sign of life only when it is no frame at all.
                    _ = socket.send(identity, more: true)
                    _ = socket.send([7] + (0..<20).map { _ in UInt8.random(in: 0...255, using: &random) })
                }
                return worked
            }
        }
        rig.resolver.set([Endpoint(service: "test", instance: "silent", address: address)])
        await expect(.unavailable) { try await rig.client.call(TestService.work, deadline: .seconds(600)) }
        #expect(rig.clientCounters.counter("rpc_bad_frames_total").value > 0)
        await loop.stop()
        await rig.end()
    }

    @Test("a request that comes twice while it runs is answered once", .timeLimit(.minutes(1)))
    func doubledRequest() async throws {
        let (entered, gate, answered) = (Gate(), Gate(), Gate())
        let (runs, answers) = (Tally(), Tally())
        let rig = try Rig()
        let server = try await rig.server(
            "test-1",
            TestService(work: { note, _ in
                runs.add()
                entered.open()
                await gate.wait()
                return note
            }))
        let loop = try SocketLoop(name: "double")
        let address = rig.endpoint("test-1").address
        await loop.run {
            guard let socket = try? ZeroMQSocket(.dealer), (try? socket.connect(address)) != nil else { return }
            var frame = Frame(.request, callID: 1)
            frame.method = TestService.work.wireID
            for _ in 0..<2 { _ = frame.withHeader { socket.send($0) } }
            _ = Frame(.ping).withHeader { socket.send($0) }
            loop.add(socket) {
                var worked = false
                while let kind = socket.receive({ part, _ in part.count > 1 ? part[1] : 0 }) {
                    worked = true
                    // The answer to a ping says that all before it was read.
                    if kind == FrameKind.pong.rawValue { gate.open() }
                    if kind == FrameKind.response.rawValue {
                        answers.add()
                        answered.open()
                    }
                }
                return worked
            }
        }
        await entered.wait()
        await answered.wait()
        #expect(runs.value == 1)
        #expect(rig.counter("rpc_bad_frames_total") == 1)
        await loop.stop()
        await rig.end(server)
        #expect(answers.value == 1)
    }

    @Test("requests are counted by method and status") func counters() async throws {
        let rig = try Rig()
        let server = try await rig.server("test-1", TestService(work: { _, _ in throw RPCError(.notFound, "") }))
        rig.resolver.set([rig.endpoint("test-1")])
        for _ in 0..<3 { _ = try await rig.client.call(TestService.echo) }
        await expect(.notFound) { try await rig.client.call(TestService.work) }
        #expect(rig.counter("rpc_requests_total", ["method": "test.v1.Test/Echo", "status": "ok"]) == 3)
        #expect(rig.counter("rpc_requests_total", ["method": "test.v1.Test/Work", "status": "notFound"]) == 1)
        #expect(rig.clientCounters.gauge("rpc_connections", ["side": "client"]).value == 1)
        await rig.end(server)
        #expect(rig.clientCounters.gauge("rpc_connections", ["side": "client"]).value == 0)
        #expect(rig.counters.gauge("rpc_connections", ["side": "server"]).value == 0)
    }
}

/// A client that sends one request and then nothing more.
final class SilentClient: Sendable {
    private let loop: SocketLoop
    private let address: String
    private let socket = Mutex<Box?>(nil)

    private struct Box: @unchecked Sendable { let socket: ZeroMQSocket }

    init(_ address: String) throws {
        loop = try SocketLoop(name: "client")
        self.address = address
    }

    func request(_ method: MethodDescriptor) async {
        await loop.run { [self] in
            guard let made = try? ZeroMQSocket(.dealer), (try? made.connect(address)) != nil else { return }
            var frame = Frame(.request, callID: 1, argument: 1000)
            frame.method = method.wireID
            _ = frame.withHeader { made.send($0) }
            loop.add(made) { made.receive { _, _ in true } ?? false }
            socket.withLock { $0 = Box(socket: made) }
        }
    }

    func close() async {
        await loop.run { [self] in socket.withLock { $0.take() }?.socket.close() }
        await loop.stop()
    }
}
