import Media
import Testing

struct CodecTests {
    private func decode(_ codec: AudioCodec, _ payload: [UInt8]) throws -> [Int16] {
        let decoder = try AudioDecoder(codec)
        var samples = [Int16](repeating: 0, count: AudioDecoder.maximumSamples(codec))
        let decoded = decoder.decode(payload.span, into: &samples)
        let count = try #require(decoded)
        return Array(samples[..<count])
    }

    @Test("G.711 decodes its well-known values")
    func goldenG711() throws {
        #expect(try decode(.pcmu, [0xFF, 0x7F, 0x00, 0x80, 0xFE, 0xD5]) == [0, 0, -32_124, 32_124, 8, 716])
        #expect(try decode(.pcma, [0xD5, 0x55, 0x2A, 0xAA, 0x80]) == [8, -8, -32_256, 32_256, 5_504])
    }

    @Test("Every G.711 octet survives decoding and encoding", arguments: [AudioCodec.pcmu, .pcma])
    func idempotent(codec: AudioCodec) throws {
        let encoder = try AudioEncoder(codec)
        for octet in UInt8.min...UInt8.max {
            let samples = try decode(codec, [octet])
            var encoded: [UInt8] = [0]
            let length = encoder.encode(samples.span, into: &encoded, at: 0)
            #expect(length == 1)
            // Negative zero of mu-law becomes the positive one.
            #expect(encoded[0] == (codec == .pcmu && octet == 0x7F ? 0xFF : octet))
        }
    }

    @Test("G.711 stays within its step for every sample", arguments: [AudioCodec.pcmu, .pcma])
    func accuracy(codec: AudioCodec) throws {
        let encoder = try AudioEncoder(codec)
        let all = (Int16.min...Int16.max).map { $0 }
        var encoded = [UInt8](repeating: 0, count: all.count)
        _ = encoder.encode(all.span, into: &encoded, at: 0)
        let decoder = try AudioDecoder(codec)
        var decoded = [Int16](repeating: 0, count: all.count)
        let count = decoder.decode(encoded.span, into: &decoded)
        #expect(count == all.count)
        for (sample, heard) in zip(all, decoded) {
            let error = abs(Int(sample) - Int(heard))
            #expect(error <= max(16, abs(Int(sample)) / 28 + 16))
        }
    }

    @Test("A tone survives Opus at its frequency")
    func opusTone() throws {
        let encoder = try AudioEncoder(.opus)
        let decoder = try AudioDecoder(.opus)
        let tone = Tone.sine(hertz: 700, duration: .seconds(1), sampleRate: 16_000)
        var heard: [Int16] = []
        var packet = [UInt8](repeating: 0, count: 1_287)
        var samples = [Int16](repeating: 0, count: AudioDecoder.maximumSamples(.opus))
        for start in stride(from: 0, to: tone.count, by: 320) {
            let frame = Array(tone[start..<start + 320])
            let length = encoder.encode(frame.span, into: &packet, at: 12)
            let payload = Array(packet[12..<12 + (try #require(length))])
            let expected = decoder.sampleCount(payload.span)
            #expect(expected == 320)
            let decoded = decoder.decode(payload.span, into: &samples)
            let count = try #require(decoded)
            heard += samples[..<count]
        }
        #expect(heard.count == 16_000)
        #expect(abs(Spectrum.dominant(heard[4_000..<12_000], sampleRate: 16_000) - 700) < 5)
    }

    @Test("Random bytes given to Opus do not trap")
    func opusFuzz() throws {
        let decoder = try AudioDecoder(.opus)
        var random = SeededGenerator(seed: 9)
        var samples = [Int16](repeating: 0, count: AudioDecoder.maximumSamples(.opus))
        for _ in 0..<5_000 {
            let payload = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            if let count = decoder.decode(payload.span, into: &samples) { #expect(count <= samples.count) }
        }
    }

    @Test(
        "A tone keeps its frequency and length at another rate",
        arguments: [(44_100, 16_000), (16_000, 8_000), (8_000, 16_000), (48_000, 16_000)])
    func resampling(from: Int, to: Int) {
        let tone = Tone.sine(hertz: 1_000, duration: .milliseconds(500), sampleRate: from)
        let other = Resampler.resample(tone, from: from, to: to)
        #expect(other.count == to / 2)
        let middle = other[(to / 8)..<(3 * to / 8)]
        #expect(abs(Spectrum.dominant(middle, sampleRate: to) - 1_000) < 5)
        let peak = middle.map { abs(Int($0)) }.max() ?? 0
        #expect(abs(peak - 11_468) < 600)
    }

    @Test("What the lower rate cannot carry is gone, not folded back")
    func antiAliasing() {
        let tone = Tone.sine(hertz: 6_000, duration: .milliseconds(500), sampleRate: 16_000)
        let other = Resampler.resample(tone, from: 16_000, to: 8_000)
        #expect(other[1_000..<3_000].allSatisfy { abs(Int($0)) < 60 })
    }
}

/// Finds the strongest frequency by testing each (Goertzel), a hertz apart.
enum Spectrum {
    static func dominant(_ samples: ArraySlice<Int16>, sampleRate: Int) -> Double {
        let values = samples.map(Double.init)
        var best = (power: 0.0, hertz: 0.0)
        for hertz in stride(from: 100.0, through: 3_400, by: 1) {
            let coefficient = 2 * cosine(2 * .pi * hertz / Double(sampleRate))
            var (first, second) = (0.0, 0.0)
            for value in values { (first, second) = (value + coefficient * first - second, first) }
            let power = first * first + second * second - coefficient * first * second
            if power > best.power { best = (power, hertz) }
        }
        return best.hertz
    }

    private static func cosine(_ angle: Double) -> Double {
        // By the series, to need no C library here.
        var term = 1.0
        var sum = 1.0
        for index in stride(from: 1.0, through: 29, by: 2) {
            term *= -angle * angle / (index * (index + 1))
            sum += term
        }
        return sum
    }
}
