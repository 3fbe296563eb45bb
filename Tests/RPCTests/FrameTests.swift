import RPC
import Testing

@Suite("Frames") struct FrameTests {
    private static func bytes(_ frame: Frame, _ payload: [UInt8] = []) -> [UInt8] {
        frame.withHeader { [UInt8]($0) } + payload
    }

    @Test("a request has the documented layout") func goldenRequest() {
        var frame = Frame(.request, callID: 0x0102, argument: 0x0004_0000)
        frame.method = 0x1122_3344_5566_7788
        frame.traceID = TraceID(high: 0xA1, low: 0xB2)
        frame.deadlineMilliseconds = 1500
        let caller: [UInt8] = Array("a/1".utf8)
        let bytes = caller.withUnsafeBytes { caller in
            frame.caller = caller
            return Self.bytes(frame, [0xEE, 0xFF])
        }
        #expect(
            bytes == [
                1, 1, 0, 0, 0, 0, 4, 0, 2, 1, 0, 0, 0, 0, 0, 0,
                0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11,
                0xA1, 0, 0, 0, 0, 0, 0, 0, 0xB2, 0, 0, 0, 0, 0, 0, 0,
                0xDC, 5, 0, 0, 3, 0, 0, 0, 0x61, 0x2F, 0x31, 0xEE, 0xFF,
            ])
    }

    @Test("a refusal has the documented layout") func goldenResponse() {
        var frame = Frame(.response, callID: 7)
        frame.hint = .draining
        frame.status = .unavailable
        #expect(Self.bytes(frame, [0x61]) == [1, 2, 1, 14, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0x61])
    }

    @Test("a method's name on the wire is the FNV-1a hash of its full name") func methodHash() {
        let method = MethodDescriptor(
            service: "", package: "", name: "", requestType: "", responseType: "")
        // FNV-1a of "/", computed by hand from the algorithm's definition.
        let offset: UInt64 = 0xcbf2_9ce4_8422_2325
        #expect(method.wireID == (offset ^ 0x2F) &* 0x0000_0100_0000_01b3)
    }

    @Test("whatever parses, encodes to the same bytes; nothing crashes", arguments: UInt64(0)..<8)
    func fuzz(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var parsed = 0
        for _ in 0..<20_000 {
            var bytes = Self.sample(&random)
            for _ in 0..<Int.random(in: 0...2, using: &random) where !bytes.isEmpty {
                let index = Int.random(in: 0..<min(bytes.count, 52), using: &random) % bytes.count
                switch Int.random(in: 0...2, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
                default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
                }
            }
            bytes.withUnsafeBytes { buffer in
                guard let frame = Frame(buffer) else { return }
                parsed += 1
                #expect(Self.bytes(frame, [UInt8](frame.payload)) == bytes)
            }
        }
        #expect(parsed > 2000)
    }

    private static func sample(_ random: inout SeededGenerator) -> [UInt8] {
        let kind = FrameKind.allCases.randomElement(using: &random)!
        var frame = Frame(kind, callID: kind.rawValue <= 6 ? random.next() | 1 : 0)
        if kind == .request || kind == .credit { frame.argument = UInt32.random(in: 0 ... .max, using: &random) }
        if kind == .response { frame.status = StatusCode.allCases.randomElement(using: &random)! }
        let payload = (0..<Int.random(in: 0...20, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random)
        }
        return Self.bytes(frame, kind.rawValue <= 4 ? payload : [])
    }
}

/// SplitMix64: the same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
