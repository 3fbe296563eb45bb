import Media
import Testing

struct WAVTests {
    private let audio = WAVAudio(format: WAVFormat(sampleRate: 8_000), samples: [0, 1, -1, 32_767, -32_768])

    @Test("The header is the 44 bytes that players expect")
    func golden() {
        #expect(
            WAVFormat(sampleRate: 16_000).header(dataBytes: 0x0102_0304)
                == Array("RIFF".utf8) + [0x28, 3, 2, 1] + Array("WAVEfmt ".utf8) + [16, 0, 0, 0, 1, 0, 1, 0]
                + [0x80, 0x3E, 0, 0, 0, 0x7D, 0, 0, 2, 0, 16, 0] + Array("data".utf8) + [4, 3, 2, 1])
    }

    @Test("Audio reads back")
    func roundTrip() throws {
        #expect(try WAVAudio(parsing: audio.bytes) == audio)
        let stereo = WAVAudio(format: WAVFormat(sampleRate: 44_100, channels: 2), samples: [1, 2, 3, 4])
        #expect(try WAVAudio(parsing: stereo.bytes) == stereo)
    }

    @Test("A header whose sizes were never filled in is read to the end of the file, a half sample dropped")
    func unfinished() throws {
        let bytes = WAVFormat(sampleRate: 8_000).header(dataBytes: 0) + audio.bytes.dropFirst(44) + [7]
        #expect(try WAVAudio(parsing: bytes) == audio)
    }

    @Test("Other chunks are stepped over, odd ones with their padding")
    func otherChunks() throws {
        var bytes = Array(audio.bytes.prefix(12))
        bytes += Array("LIST".utf8) + [3, 0, 0, 0, 1, 2, 3, 0]
        bytes += audio.bytes.dropFirst(12)
        #expect(try WAVAudio(parsing: bytes) == audio)
    }

    @Test("What is no 16-bit PCM is refused")
    func refused() {
        #expect(throws: WAVError.notWAV) { try WAVAudio(parsing: []) }
        #expect(throws: WAVError.notWAV) { try WAVAudio(parsing: Array("ID3 this is no WAV at all".utf8)) }
        #expect(throws: WAVError.malformed) { try WAVAudio(parsing: Array(audio.bytes.prefix(36))) }
        for (offset, value) in [(20, 7), (22, 3), (34, 8), (24, 1)] as [(Int, UInt8)] {
            var bytes = audio.bytes
            bytes[offset] = value
            if offset == 24 { bytes[25] = 0 }
            #expect(throws: WAVError.unsupported) { try WAVAudio(parsing: bytes) }
        }
    }

    @Test("Stereo becomes the mean of its channels")
    func mixing() {
        let stereo = WAVAudio(format: WAVFormat(sampleRate: 8_000, channels: 2), samples: [100, 300, -32_768, -32_768])
        #expect(stereo.converted(to: 8_000).samples == [200, -32_768])
    }

    @Test("Mutated files are read or refused, never beyond their end")
    func fuzz() {
        var random = SeededGenerator(seed: 12)
        for _ in 0..<20_000 {
            var bytes = audio.bytes
            for _ in 0..<4 {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                bytes[index] = UInt8.random(in: 0...255, using: &random)
            }
            bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
            _ = try? WAVAudio(parsing: bytes)
        }
    }
}
