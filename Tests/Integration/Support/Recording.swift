import Foundation

/// A WAV file as any player sees it.
struct Recording {
    let rate: Int
    /// Those of the first channel.
    let samples: [Int16]

    enum Fault: Error { case notAWAV(String) }

    /// Reads canonical RIFF chunks; a size that does not agree with the file is a fault.
    init(_ data: Data) throws {
        let bytes = [UInt8](data)
        func number(_ at: Int, _ count: Int) -> Int { (0..<count).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) } }
        guard bytes.count >= 44, bytes[0..<4].elementsEqual("RIFF".utf8), bytes[8..<12].elementsEqual("WAVE".utf8)
        else {
            throw Fault.notAWAV("no RIFF header")
        }
        guard number(4, 4) == bytes.count - 8 else { throw Fault.notAWAV("RIFF size is wrong") }
        var rate = 0
        var samples: [Int16]?
        var channels = 1
        var at = 12
        while at + 8 <= bytes.count {
            let size = number(at + 4, 4)
            guard at + 8 + size <= bytes.count else { throw Fault.notAWAV("chunk past the end") }
            if bytes[at..<at + 4].elementsEqual("fmt ".utf8) {
                channels = number(at + 10, 2)
                guard number(at + 8, 2) == 1, channels >= 1, number(at + 22, 2) == 16 else {
                    throw Fault.notAWAV("not 16-bit PCM")
                }
                rate = number(at + 12, 4)
            } else if bytes[at..<at + 4].elementsEqual("data".utf8) {
                samples = stride(from: at + 8, to: at + 8 + size - 1, by: 2 * channels).map {
                    Int16(truncatingIfNeeded: number($0, 2))
                }
            }
            at += 8 + size + size % 2
        }
        guard rate > 0, let samples else { throw Fault.notAWAV("no format or no data") }
        self.rate = rate
        self.samples = samples
    }

    var seconds: Double { Double(samples.count) / Double(rate) }

    /// The share of each 20 ms block's energy that is at `frequency` (Goertzel), 0 to 1; 0 for a silent block.
    func blocks(at frequency: Double) -> [Double] {
        let size = rate / 50
        let coefficient = 2 * cos(2 * .pi * frequency / Double(rate))
        return stride(from: 0, through: samples.count - size, by: size).map { start in
            var previous = (0.0, 0.0)
            var energy = 0.0
            for sample in samples[start..<start + size] {
                let value = Double(sample)
                energy += value * value
                previous = (value + coefficient * previous.0 - previous.1, previous.0)
            }
            guard energy / Double(size) > 200 * 200 else { return 0 }
            let power = previous.0 * previous.0 + previous.1 * previous.1 - coefficient * previous.0 * previous.1
            return min(1, 2 * power / (Double(size) * energy))
        }
    }

    /// How long the tone sounds in all.
    func secondsOfTone(at frequency: Double) -> Double {
        Double(blocks(at: frequency).count { $0 > 0.8 }) * 0.02
    }

    /// The longest pause of the tone between its first and its last sound, in seconds.
    func longestGap(at frequency: Double) -> Double {
        let sounds = blocks(at: frequency).map { $0 > 0.8 }
        guard let first = sounds.firstIndex(of: true), let last = sounds.lastIndex(of: true) else { return .infinity }
        let longest = sounds[first...last].split(separator: true).map(\.count).max() ?? 0
        return Double(longest) * 0.02
    }
}

extension Double {
    /// Both in seconds; counted in samples of 8 kHz, since 4 - 3.9 is a little more than 0.1.
    func isWithin100Milliseconds(of other: Double) -> Bool { ((self - other) * 8_000).magnitude.rounded() <= 800 }
}
