import Domain
import RPC
import RecordsCore
import Store
import Testing
import Wire
import WireFormat

@Suite struct RecordConsumerTests {
    @Test("A call to voicemail: each state is published once, in order, and the voicemail last")
    func voicemailCall() async throws {
        try await RecordsFixture.run { records in
            let owner = BellwireID.make().description
            let authorized = WireCall.inbound(owner: owner)
            let ringing = authorized.at(.ringing)
            let diverted = ringing.at(.unanswered, because: .noAnswer)
            let voicemail = WireCall.voicemail(in: authorized)
            for call in [authorized, authorized, ringing, diverted, ringing] { try await records.consume(call) }
            try await records.consume(voicemail)
            try await records.consume(voicemail)
            var ended = diverted.at(.unanswered, because: .noAnswer)
            ended.ended = Timestamp(seconds: WireCall.start.seconds + 60, nanos: 0)
            try await records.consume(ended)

            let events = try await records.events()
            #expect(events.compactMap(\.record?.state) == [.authorized, .ringing, .unanswered, .unanswered])
            #expect(events.compactMap(\.record?.version) == [1, 2, 3, 4])
            #expect(events.map { $0.record?.voicemail?.id } == [nil, nil, nil, voicemail.id])
            let record = try await records.get(authorized.callee?.recordID ?? "")
            #expect(record == events.last?.record)
            #expect(record.owner == owner)
            #expect(record.direction == .inbound)
            #expect(record.localPhoneNumber == "+447700900123")
            #expect(record.remotePhoneNumber == "+12025550123")
            #expect(record.phoneNumberID == authorized.callee?.phoneNumberID)
            #expect(record.sudoOwner == authorized.callee?.personaID)
            #expect(record.callID == authorized.id)
            #expect(record.durationSeconds == 0)
            #expect(record.termination?.reason == "noAnswer")
            #expect(record.created == WireCall.start)
            #expect(record.voicemail?.durationSeconds == 5)
            #expect(record.voicemail?.media == voicemail.media)
            #expect(try await records.list().records == [record])
        }
    }

    @Test("A call between two users has a record for each; deleting one leaves the other")
    func twoRecords() async throws {
        try await RecordsFixture.run { records in
            let (alice, bob) = (BellwireID.make().description, BellwireID.make().description)
            var call = WireCall.internalCall(from: alice, to: bob)
            try await records.consume(call)
            call.answered = Timestamp(seconds: WireCall.start.seconds + 10, nanos: 0)
            call.ended = Timestamp(seconds: WireCall.start.seconds + 15, nanos: 400_000_000)
            try await records.consume(call.at(.answered))
            try await records.consume(call.at(.answered).at(.completed, because: .callerHungUp))
            let outbound = try #require(try await records.list(owner: alice).records.first)
            let inbound = try #require(try await records.list(owner: bob).records.first)
            #expect(outbound.direction == .outbound)
            #expect(outbound.localPhoneNumber == "client:alice")
            #expect(outbound.remotePhoneNumber == "client:bob")
            #expect(inbound.direction == .inbound)
            #expect(inbound.remotePhoneNumber == "client:alice")
            #expect(inbound.phoneNumberID.isEmpty)
            #expect(outbound.durationSeconds == 5)
            #expect(inbound.durationSeconds == 5)
            try await records.delete(outbound.id, owner: alice)
            #expect(try await records.list(owner: alice).records.isEmpty)
            #expect(try await records.get(inbound.id, owner: bob) == inbound)
        }
    }

    @Test("Call and voicemail at the same moment from two partitions always end attached")
    func concurrentPartitions() async throws {
        try await RecordsFixture.run { records in
            for _ in 0..<40 {
                let call = WireCall.inbound(owner: BellwireID.make().description)
                let voicemail = WireCall.voicemail(in: call)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await records.consume(call) }
                    group.addTask { try await records.consume(voicemail) }
                    try await group.waitForAll()
                }
                #expect(try await records.get(call.callee?.recordID ?? "").voicemail?.id == voicemail.id)
            }
        }
    }

    @Test("A voicemail without its record is not listed, and is there when the record comes")
    func voicemailFirst() async throws {
        try await RecordsFixture.run { records in
            let owner = BellwireID.make().description
            let call = WireCall.inbound(owner: owner)
            let voicemail = WireCall.voicemail(in: call)
            let id = call.callee?.recordID ?? ""
            try await records.consume(voicemail)
            #expect(await refusal { _ = try await records.get(id) } == .notFound)
            #expect(await refusal { try await records.delete(id) } == .notFound)
            #expect(try await records.list(owner: owner).records.isEmpty)
            #expect(try await records.events().isEmpty)
            try await records.consume(call)
            #expect(try await records.events().map { $0.record?.voicemail?.id } == [voicemail.id])
        }
    }

    @Test("Deleting the voicemail clears it from the record")
    func voicemailDeleted() async throws {
        try await RecordsFixture.run { records in
            let call = WireCall.inbound(owner: BellwireID.make().description)
            var voicemail = WireCall.voicemail(in: call)
            try await records.consume(call)
            try await records.consume(voicemail)
            let repeated = voicemail
            voicemail.version = 2
            try await records.consume(voicemail, deleted: true)
            try await records.consume(repeated)
            let record = try await records.get(call.callee?.recordID ?? "")
            #expect(record.voicemail == nil)
            #expect(record.version == 3)
        }
    }

    @Test("A deleted record is told once, forgets what it said, and no late event brings it back")
    func deletedRecord() async throws {
        try await RecordsFixture.run { records in
            let owner = BellwireID.make().description
            let call = WireCall.inbound(owner: owner)
            let id = call.callee?.recordID ?? ""
            try await records.consume(call)
            let last = try await records.get(id)
            try await records.delete(id, owner: owner)
            #expect(await refusal { try await records.delete(id, owner: owner) } == .notFound)
            try await records.consume(call.at(.unanswered, because: .noAnswer))
            try await records.consume(WireCall.voicemail(in: call))
            #expect(await refusal { _ = try await records.get(id, owner: owner) } == .notFound)
            let events = try await records.events()
            #expect(events.map(\.deleted) == [false, true])
            #expect(events.last?.record?.state == last.state)
            #expect(events.last?.record?.version == 2)
            let left = try await records.database.query(
                """
                SELECT count(*)::integer AS count FROM records.call_record
                WHERE local_phone_number IS NOT NULL OR remote_phone_number IS NOT NULL
                """)
            #expect(try left.first?.int("count") == 0)
        }
    }

    @Test("A call that was refused leaves nothing, not even a row")
    func refusedCall() async throws {
        try await RecordsFixture.run { records in
            let call = WireCall.inbound(owner: BellwireID.make().description).at(.unanswered, because: .notAllowed)
            try await records.consume(call)
            let rows = try await records.database.query("SELECT id FROM records.call_record")
            #expect(rows.isEmpty)
            #expect(try await records.events().isEmpty)
        }
    }

    @Test("A call without any optional field is stored, a withheld caller stays withheld")
    func absentFields() async throws {
        try await RecordsFixture.run { records in
            var call = WireCall.inbound(owner: BellwireID.make().description)
            call.callee?.personaID = ""
            call.callee?.phoneNumberID = ""
            call.caller?.number = "+266696687"
            call.caller?.withheld = true
            try await records.consume(call)
            let record = try await records.get(call.callee?.recordID ?? "")
            #expect(record.remotePhoneNumber.isEmpty)
            #expect(record.sudoOwner.isEmpty)
            #expect(record.phoneNumberID.isEmpty)
            #expect(record.termination == nil)
            #expect(record.voicemail == nil)
        }
    }

    @Test("What is no event is refused as malformed and changes nothing")
    func malformed() async throws {
        try await RecordsFixture.run { records in
            var noOwner = WireCall.inbound(owner: "alice")
            noOwner.callee?.recordID = ""
            let broken: [(String, [UInt8], MalformedEvent)] = [
                (CallsV1.CallEvent.messageName, [0xFF, 0xFF], .message),
                (CallsV1.CallEvent.messageName, CallsV1.CallEvent().wireBytes(), .message),
                (VoicemailV1.VoicemailEvent.messageName, VoicemailV1.VoicemailEvent().wireBytes(), .voicemailID),
            ]
            for (type, payload, error) in broken {
                await #expect(throws: error) { try await records.consume(type, payload) }
            }
            await #expect(throws: MalformedEvent.userID) { try await records.consume(noOwner) }
            for seconds in [Int64.max, Int64.min, -1] {
                var noTime = WireCall.inbound(owner: BellwireID.make().description)
                noTime.updated = Timestamp(seconds: seconds, nanos: 0)
                await #expect(throws: MalformedEvent.times) { try await records.consume(noTime) }
            }
            var noReason = WireCall.inbound(owner: BellwireID.make().description).at(.unanswered, because: .busy)
            noReason.termination?.reason = "bored"
            await #expect(throws: MalformedEvent.reason) { try await records.consume(noReason) }
            try await records.consume("bellwire.other.v1.Event", [1, 2, 3])
            #expect(try await records.list().records.isEmpty)
        }
    }
}
