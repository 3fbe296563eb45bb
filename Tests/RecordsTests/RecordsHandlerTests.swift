import Domain
import RPC
import Testing
import Wire
import WireFormat

@Suite struct RecordsHandlerTests {
    @Test("Pages are newest first, hold each record once, also those of one moment and while new ones come")
    func paging() async throws {
        try await RecordsFixture.run { records in
            let owner = BellwireID.make().description
            for index in 0..<9 {
                // Three of each moment.
                let created = Timestamp(seconds: WireCall.start.seconds + Int64(index / 3), nanos: 0)
                try await records.consume(WireCall.inbound(owner: owner, created: created))
            }
            try await records.consume(WireCall.inbound(owner: BellwireID.make().description))
            var seen: [RecordsV1.CallRecord] = []
            var token = ""
            repeat {
                let page = try await records.list(owner: owner, limit: 2, after: token)
                #expect(page.records.count <= 2)
                seen += page.records
                token = page.next
                let now = Timestamp(seconds: WireCall.start.seconds + 100, nanos: 0)
                if seen.count == 4 { try await records.consume(WireCall.inbound(owner: owner, created: now)) }
            } while !token.isEmpty
            #expect(seen.count == 9)
            #expect(Set(seen.map(\.id)).count == 9)
            let moments = seen.compactMap(\.created?.seconds)
            #expect(moments == moments.sorted(by: >))
            #expect(try await records.list(owner: owner).records.count == 10)
            #expect(try await records.list().records.count == 11)
        }
    }

    @Test("A number given to another user shows its new owner nothing of the former's calls")
    func filterByNumber() async throws {
        try await RecordsFixture.run { records in
            let (alice, bob) = (BellwireID.make().description, BellwireID.make().description)
            try await records.consume(WireCall.inbound(owner: alice, number: "+447700900123"))
            try await records.consume(WireCall.inbound(owner: alice, number: "+447700900124"))
            try await records.consume(WireCall.inbound(owner: bob, number: "+447700900123"))
            #expect(try await records.list(owner: alice, number: "+447700900123").records.count == 1)
            #expect(try await records.list(owner: bob).records.count == 1)
            #expect(try await records.list(owner: bob, number: "+447700900123").records.first?.owner == bob)
            #expect(try await records.list(number: "+447700900123").records.count == 2)
            #expect(try await records.list(owner: bob, number: "+447700900124").records.isEmpty)
        }
    }

    @Test("Nobody sees, finds or deletes another user's record")
    func isolation() async throws {
        try await RecordsFixture.run { records in
            let (alice, mallory) = (BellwireID.make().description, BellwireID.make().description)
            let call = WireCall.inbound(owner: alice)
            let id = call.callee?.recordID ?? ""
            try await records.consume(call)
            #expect(await refusal { _ = try await records.get(id, owner: mallory) } == .notFound)
            #expect(await refusal { try await records.delete(id, owner: mallory) } == .notFound)
            #expect(try await records.list(owner: mallory).records.isEmpty)
            #expect(try await records.get(id, owner: alice).id == id)
            #expect(try await records.get(id).owner == alice)
            try await records.delete(id)
            #expect(await refusal { _ = try await records.get(id) } == .notFound)
        }
    }

    @Test("A token is good for its own listing only")
    func tokens() async throws {
        try await RecordsFixture.run { records in
            let (alice, bob) = (BellwireID.make().description, BellwireID.make().description)
            for owner in [alice, alice, bob, bob] { try await records.consume(WireCall.inbound(owner: owner)) }
            let token = try await records.list(owner: alice, limit: 1).next
            #expect(!token.isEmpty)
            #expect(await refusal { _ = try await records.list(owner: bob, after: token) } == .invalidArgument)
            #expect(await refusal { _ = try await records.list(after: token) } == .invalidArgument)
            for broken in ["0", String(token.dropFirst()), token.uppercased() + "x", "null", "%"] {
                #expect(await refusal { _ = try await records.list(owner: alice, after: broken) } == .invalidArgument)
            }
            #expect(try await records.list(owner: alice, limit: 1, after: token).next.isEmpty)
        }
    }

    @Test("Wrong ids and numbers are refused, large limits are cut")
    func refusals() async throws {
        try await RecordsFixture.run { records in
            #expect(await refusal { _ = try await records.get("x") } == .invalidArgument)
            #expect(await refusal { _ = try await records.get("") } == .invalidArgument)
            #expect(await refusal { _ = try await records.list(owner: "alice") } == .invalidArgument)
            #expect(await refusal { _ = try await records.list(number: "07700900123") } == .invalidArgument)
            #expect(await refusal { try await records.delete("x") } == .invalidArgument)
            #expect(await refusal { _ = try await records.get(BellwireID.make().description) } == .notFound)
            let all = try await records.list(limit: .max)
            #expect(all.records.isEmpty)
        }
    }
}
