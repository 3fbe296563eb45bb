import Testing
import Wire
import WireFormat

@Suite("Bytes that are refused")
struct WireRefusalTests {
    /// Not UTF-8: lone continuation, cut sequence, overlong slash, surrogate, beyond U+10FFFF, and U+0000.
    private static let badTexts: [[UInt8]] = [
        [0x80], [0xc3], [0xe2, 0x98], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xff],
        [0x61, 0, 0x62], [0], [0x61, 0], [0, 0],
    ]

    private func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
        [number << 3 | 2, UInt8(content.count)] + content
    }

    @Test("A text that is not UTF-8, or holds U+0000, wherever it stands", arguments: badTexts)
    func badText(_ text: [UInt8]) {
        #expect(throws: WireError.invalidText) { try ConformanceV1.Scalars(wireBytes: field(14, text)) }
        #expect(throws: WireError.invalidText) { try ConformanceV1.Lists(wireBytes: field(14, text)) }
        #expect(throws: WireError.invalidText) { try ConformanceV1.Optionals(wireBytes: field(14, text)) }
        #expect(throws: WireError.invalidText) { try ConformanceV1.Choices(wireBytes: field(1, text)) }
        #expect(throws: WireError.invalidText) { try ConformanceV1.Maps(wireBytes: field(1, field(1, text))) }
        #expect(throws: WireError.invalidText) { try ConformanceV1.Maps(wireBytes: field(1, field(2, text))) }
        let nested = field(5, field(1, field(1, text)))
        #expect(throws: WireError.invalidText) { try ConformanceV1.Choices(wireBytes: nested) }
    }

    @Test("Bytes are free to be anything", arguments: badTexts)
    func anyBytes(_ bytes: [UInt8]) throws {
        #expect(try ConformanceV1.Choices(wireBytes: field(2, bytes)).choice == .data(bytes))
    }

    @Test("More than the limit is refused unread")
    func tooLarge() {
        let bytes = [UInt8](repeating: 0, count: WireLimits.maximumBytes + 1)
        #expect(throws: WireError.tooLarge(bytes: bytes.count, limit: WireLimits.maximumBytes)) {
            try ConformanceV1.Scalars(wireBytes: bytes)
        }
    }

    @Test("A short input that asks for much memory is refused")
    func amplification() {
        // Two bytes each: an empty message of more than a hundred bytes.
        let bytes = [UInt8]((0..<4_000_000).map { $0 % 3 == 0 ? 0x8a : $0 % 3 == 1 ? 0x01 : 0 })
        #expect(throws: WireError.malformed) { try ConformanceV1.Lists(wireBytes: bytes) }
    }

    @Test("Groups, field 0 and overlong varints are malformed")
    func malformed() {
        for bytes: [UInt8] in [[0x0b, 0x0c], [0x00, 0x01], [0x18] + [UInt8](repeating: 0xff, count: 11), [0x07]] {
            #expect(throws: WireError.malformed) { try ConformanceV1.Scalars(wireBytes: bytes) }
        }
    }

    @Test("A time with impossible nanoseconds is malformed")
    func badTime() {
        // Field 18, nanos = -1 and 1,000,000,000.
        let minus: [UInt8] = [0x92, 1, 11, 0x10] + [UInt8](repeating: 0xff, count: 9) + [1]
        let large: [UInt8] = [0x92, 1, 6, 0x10, 0x80, 0x94, 0xeb, 0xdc, 0x03]
        #expect(throws: WireError.malformed) { try ConformanceV1.Lists(wireBytes: minus) }
        #expect(throws: WireError.malformed) { try ConformanceV1.Lists(wireBytes: large) }
    }

    @Test("A message cut anywhere is read or refused, never more", arguments: Golden.all)
    func cut(_ golden: Golden) {
        for count in 0..<golden.bytes.count { tryToRead(golden.type, [UInt8](golden.bytes.prefix(count))) }
    }

    @Test("Mutated messages are read or refused, never more", arguments: 0..<8)
    func mutated(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<2_000 {
            for golden in Golden.all {
                var bytes = golden.bytes
                for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: bytes[place] = .random(in: 0...255, using: &random)
                    case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                    case 2: bytes.remove(at: place)
                    default: bytes.insert(contentsOf: bytes[..<place], at: place)
                    }
                }
                tryToRead(golden.type, bytes)
            }
        }
    }

    @Test("Random bytes are read or refused by every message there is", arguments: 0..<4)
    func garbage(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for type in WireRegistry.messages.values {
            for _ in 0..<500 {
                let count = Int.random(in: 0..<64, using: &random)
                tryToRead(type, (0..<count).map { _ in .random(in: 0...255, using: &random) })
            }
        }
    }

    /// What can be read can be written and read again, and be shown.
    private func tryToRead<Message: WireMessage>(_ type: Message.Type, _ bytes: [UInt8]) {
        guard let message = try? Message(wireBytes: bytes) else { return }
        let again = try? Message(wireBytes: message.wireBytes())
        #expect(again?.wireBytes() == message.wireBytes())
        _ = message.description
    }
}

/// A small generator whose numbers are the same in every run.
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
