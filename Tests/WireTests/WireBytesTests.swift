import Testing
import Wire
import WireFormat

@Suite("Binary form")
struct WireBytesTests {
    @Test("Bytes of another implementation are read as they were meant", arguments: Golden.all)
    func readsGoldenBytes(_ golden: Golden) throws {
        let message = try golden.type.init(wireBytes: golden.bytes)
        #expect(golden.isEqual(to: message))
    }

    @Test("What is written has the bytes of another implementation", arguments: Golden.all.filter { $0.name != "maps" })
    func writesGoldenBytes(_ golden: Golden) {
        #expect(golden.message.wireBytes() == golden.bytes)
    }

    @Test("What is written is read again", arguments: Golden.all)
    func roundTrips(_ golden: Golden) throws {
        let message = try golden.type.init(wireBytes: golden.message.wireBytes())
        #expect(golden.isEqual(to: message))
    }

    @Test("Equal maps give equal bytes, whatever order they were filled in")
    func mapsAreDeterministic() {
        var maps: [ConformanceV1.Maps] = [.init(), .init()]
        for number in 0..<100 {
            maps[0].textByText["\(number)"] = "x"
            maps[1].textByText["\(99 - number)"] = "x"
        }
        #expect(maps[0].wireBytes() == maps[1].wireBytes())
    }

    @Test("An absent field is its default, a present optional one is not absent")
    func presence() throws {
        let absent = try ConformanceV1.Optionals(wireBytes: [])
        #expect(absent == ConformanceV1.Optionals())
        #expect(absent.stringValue == nil && absent.boolValue == nil && absent.scalars == nil && absent.mood == nil)
        let present = try ConformanceV1.Optionals(wireBytes: Samples.optionals.wireBytes())
        #expect(present.stringValue == "" && present.boolValue == false && present.scalars == .init())
    }

    @Test("Of a oneof that came twice the last member counts")
    func lastMemberWins() throws {
        let bytes =
            ConformanceV1.Choices(choice: .text("first")).wireBytes()
            + ConformanceV1.Choices(choice: .number(2)).wireBytes()
        #expect(try ConformanceV1.Choices(wireBytes: bytes).choice == .number(2))
    }

    @Test("Fields of a newer schema are ignored, numbers of a newer enum kept")
    func unknownFields() throws {
        let newer = ConformanceV1.Lists(strings: ["kept"], moods: [.unrecognized(77)]).wireBytes()
        let known = try ConformanceV1.Lists(wireBytes: newer)
        #expect(known.moods == [.unrecognized(77)])
        // Field 1000, a text; field 1001, a varint.
        let unknown: [UInt8] = [0xc2, 0x3e, 1, 0x78, 0xc8, 0x3e, 5]
        #expect(try ConformanceV1.Lists(wireBytes: unknown + newer + unknown) == known)
    }

    @Test("Repeated numbers are read packed and unpacked")
    func unpacked() throws {
        #expect(try ConformanceV1.Lists(wireBytes: [0x18, 1, 0x18, 2, 0x1a, 1, 3]).int32s == [1, 2, 3])
    }

    @Test("U+0000 in a text, which C cannot carry, becomes U+FFFD")
    func nulInText() throws {
        let message = ConformanceV1.Scalars(stringValue: "a\0b")
        #expect(try ConformanceV1.Scalars(wireBytes: message.wireBytes()).stringValue == "a\u{FFFD}b")
    }

    @Test("A large message passes whole")
    func large() throws {
        let data = [UInt8](repeating: 7, count: 3 << 20)
        let chunk = VoicemailV1.DownloadChunk(data: data, sizeBytes: UInt64(data.count))
        #expect(try VoicemailV1.DownloadChunk(wireBytes: chunk.wireBytes()) == chunk)
        let list = ConformanceV1.Lists(strings: (0..<100_000).map { "text \($0)" })
        #expect(try ConformanceV1.Lists(wireBytes: list.wireBytes()) == list)
    }
}
