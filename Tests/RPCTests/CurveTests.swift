import Foundation
import RPC
import Testing
import ZeroMQ

@Suite("CURVE between hosts", .timeLimit(.minutes(1))) struct CurveTests {
    private let serverKey = CurveSecretKey.make()
    private let clientKey = CurveSecretKey.make()

    private func rig(roles: Set<String> = ["calls"]) throws -> CurveRig {
        try CurveRig([
            AllowedKey(serverKey, "host-a", ["test"]), AllowedKey(clientKey, "host-b", roles),
        ])
    }

    @Test("an allowed key calls, and the caller is who the key says") func allowed() async throws {
        let rig = try rig()
        let server = try await rig.server(
            "test-1", serverKey, TestService(work: { _, context in Note(context.caller) }))
        rig.resolver.set([rig.endpoint(server)])
        let client = try rig.client(clientKey, caller: "calls/calls-7")
        #expect(try await client.call(TestService.work) == "calls/host-b")
        #expect(try await client.call(TestService.restricted) == "calls/host-b")
        var numbers: [String] = []
        for try await note in client.open("500") { numbers.append(note.text) }
        #expect(numbers == (0..<500).map(String.init))
        #expect(rig.refused("unknownKey") == 0)
        await client.stop()
        await server.stop()
    }

    @Test("a role that the key does not have is refused, whatever the client claims") func roles() async throws {
        let rig = try rig(roles: ["voicemail"])
        let server = try await rig.server("test-1", serverKey)
        rig.resolver.set([rig.endpoint(server)])
        // The method is open to `calls`, which this client says it is.
        let liar = try rig.client(clientKey, caller: "calls/calls-1")
        await expect(.permissionDenied) { try await liar.call(TestService.restricted) }
        await expect(.permissionDenied) { try await liar.call(TestService.echo) }
        let honest = try rig.client(clientKey, caller: "voicemail/voicemail-1")
        #expect(try await honest.call(TestService.echo, "hello") == "hello")
        await expect(.permissionDenied) { try await honest.call(TestService.restricted) }
        await liar.stop()
        await honest.stop()
        await server.stop()
    }

    @Test("a key that is not allowed reaches no handler, is counted, and passes once allowed") func unknownKey()
        async throws
    {
        let rig = try CurveRig([AllowedKey(serverKey, "host-a", ["test"])])
        let calls = Tally()
        let server = try await rig.server(
            "test-1", serverKey,
            TestService(work: { note, _ in
                calls.add()
                return note
            }))
        rig.resolver.set([rig.endpoint(server)])
        let client = try rig.client(clientKey)
        await #expect(throws: RPCError.self) { try await client.call(TestService.work, deadline: .seconds(1)) }
        try await eventually { rig.refused("unknownKey") > 0 }
        #expect(calls.value == 0)
        try rig.allow([AllowedKey(serverKey, "host-a", ["test"]), AllowedKey(clientKey, "host-b", ["calls"])])
        try await eventually { (try? await client.call(TestService.work, deadline: .seconds(1))) != nil }
        await client.stop()
        await server.stop()
    }

    @Test("a client without CURVE hears by its deadline, and is counted") func withoutCurve() async throws {
        let rig = try rig()
        let server = try await rig.server("test-1", serverKey)
        let open = try #require(PeerAddress(server.address)).location
        rig.resolver.set([Endpoint(service: "test", instance: "test-1", address: open)])
        let client = try rig.client(nil)
        let start = ContinuousClock.now
        await #expect(throws: RPCError.self) { try await client.call(TestService.echo, deadline: .seconds(2)) }
        #expect(ContinuousClock.now - start < .seconds(10))
        try await eventually { rig.refused("handshake") > 0 }
        // With the key in the address it does not even try.
        rig.resolver.set([rig.endpoint(server)])
        await expect(.unavailable) { try await client.call(TestService.echo, deadline: .seconds(600)) }
        await client.stop()
        await server.stop()
    }

    @Test("a client calls no server whose key is not allowed, or is another service's, or that wants no key")
    func wrongServer() async throws {
        let rig = try CurveRig([
            AllowedKey(serverKey, "host-a", ["records"]), AllowedKey(clientKey, "host-b", ["calls"]),
        ])
        let server = try await rig.server("test-1", serverKey)
        let client = try rig.client(clientKey)
        rig.resolver.set([rig.endpoint(server)])
        await expect(.unavailable) { try await client.call(TestService.echo, deadline: .seconds(600)) }
        let stranger = CurveSecretKey.make()
        let location = try #require(PeerAddress(server.address)).location
        for key in [stranger.publicKey, nil] {
            let address = PeerAddress(location: location, key: key).description
            rig.resolver.set([Endpoint(service: "test", instance: "test-1", address: address)])
            await expect(.unavailable) { try await client.call(TestService.echo, deadline: .seconds(600)) }
        }
        await client.stop()
        await server.stop()
    }

    @Test("an instance whose key is not allowed takes no calls away from the others") func badInstance() async throws {
        let rig = try rig()
        let good = try await rig.server("test-1", serverKey)
        let strangerAddress = PeerAddress(location: "tcp://127.0.0.1:9", key: CurveSecretKey.make().publicKey)
        let stranger = Endpoint(service: "test", instance: "test-2", address: strangerAddress.description)
        rig.resolver.set([stranger, rig.endpoint(good), stranger])
        let client = try rig.client(clientKey)
        for number in 0..<10 { #expect(try await client.call(TestService.work, "\(number)") == "\(number)") }
        await expect(.unavailable) { try await client.call(TestService.work, instance: "test-2") }
        await client.stop()
        await good.stop()
    }

    @Test("a key taken away ends its calls and lets it make no more, while its connection still stands")
    func revoked() async throws {
        let rig = try rig()
        let entered = Gate()
        let server = try await rig.server(
            "test-1", serverKey,
            TestService(count: { _, responses, _ in
                try await responses.write(Note("one"))
                entered.open()
                await Gate().wait()
            }))
        rig.resolver.set([rig.endpoint(server)])
        // Its own list goes on naming the server.
        let client = RPCClient(
            caller: "calls/calls-1", resolver: rig.resolver, counters: rig.clientCounters, beat: .milliseconds(100),
            curve: CurveCredentials(
                secret: clientKey, allowed: AllowedKeys([AllowedKey(serverKey, "host-a", ["test"])])))
        let stream = Task { for try await _ in client.open() {} }
        await entered.wait()
        try rig.allow([AllowedKey(serverKey, "host-a", ["test"])])
        await expect(.unauthenticated) { try await stream.value }
        await expect(.unauthenticated) { try await client.call(TestService.echo) }
        await client.stop()
        await server.stop()
    }

    @Test("keys of both ends are changed while calls go on, and none fails") func rotation() async throws {
        let (newServerKey, newClientKey) = (CurveSecretKey.make(), CurveSecretKey.make())
        let rig = try rig()
        var old = [AllowedKey(serverKey, "host-a", ["test"]), AllowedKey(clientKey, "host-b", ["calls"])]
        let first = try await rig.server("test-1", serverKey)
        let second = try await rig.server("test-2", serverKey)
        rig.resolver.set([rig.endpoint(first, "test-1"), rig.endpoint(second, "test-2")])
        let client = try rig.client(clientKey)
        let (stopped, done) = (Gate(), Tally())
        let work = Task {
            while !stopped.isOpen {
                _ = try await client.call(TestService.echo, "x")
                done.add()
            }
        }
        func moreCalls() async throws {
            let before = done.value
            try await eventually { done.value > before + 20 }
        }
        try await moreCalls()
        // Both keys of a name are allowed for a while.
        let new = [AllowedKey(newServerKey, "host-a", ["test"]), AllowedKey(newClientKey, "host-b", ["calls"])]
        try rig.allow(old + new)
        // The instances are restarted with the new key, one after the other.
        rig.resolver.set([rig.endpoint(second, "test-2")])
        await first.stop()
        let firstAgain = try await rig.server("test-1", newServerKey)
        rig.resolver.set([rig.endpoint(firstAgain, "test-1"), rig.endpoint(second, "test-2")])
        try await eventually { try await client.call(TestService.echo, "up", instance: "test-1") == "up" }
        rig.resolver.set([rig.endpoint(firstAgain, "test-1")])
        await second.stop()
        try await moreCalls()
        let renewed = try rig.client(newClientKey)
        #expect(try await renewed.call(TestService.echo, "new") == "new")
        stopped.open()
        try await work.value
        old = []
        try rig.allow(new)
        #expect(try await renewed.call(TestService.echo, "alone") == "alone")
        try await eventually {
            do { _ = try await client.call(TestService.echo, deadline: .seconds(1)) } catch { return true }
            return false
        }
        await client.stop()
        await renewed.stop()
        await firstAgain.stop()
    }
}
