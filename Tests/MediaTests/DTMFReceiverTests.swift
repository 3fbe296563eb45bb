import Media
import Testing

struct DTMFReceiverTests {
    private func receive(
        _ receiver: inout DTMFReceiver, _ code: UInt8, timestamp: UInt32, end: Bool = false, marker: Bool = false
    ) -> Character? {
        let header = RTPHeader(marker: marker, payloadType: 101, sequence: 0, timestamp: timestamp, ssrc: 1)
        let payload = TelephoneEvent(code: code, isEnd: end, duration: 160).payload
        return receiver.receive(header, payload: payload.span)?.character
    }

    @Test("An event with its updates and three end packets is one digit")
    func oneDigit() {
        var receiver = DTMFReceiver()
        #expect(receive(&receiver, 5, timestamp: 1_000, marker: true) == "5")
        for _ in 0..<5 { #expect(receive(&receiver, 5, timestamp: 1_000) == nil) }
        for _ in 0..<3 { #expect(receive(&receiver, 5, timestamp: 1_000, end: true) == nil) }
    }

    @Test("An event without a marker is heard; so is one of which only the end arrives")
    func withoutMarker() {
        var receiver = DTMFReceiver()
        #expect(receive(&receiver, 11, timestamp: 0) == "#")
        #expect(receive(&receiver, 10, timestamp: 4_000, end: true) == "*")
    }

    @Test("The same key twice is two digits; a late packet of the first is none")
    func twice() {
        var receiver = DTMFReceiver()
        #expect(receive(&receiver, 1, timestamp: UInt32.max - 100) == "1")
        #expect(receive(&receiver, 1, timestamp: 1_900) == "1")
        #expect(receive(&receiver, 1, timestamp: UInt32.max - 100, end: true) == nil)
    }

    @Test("Events that are no keys, and payloads too short, are none")
    func noDigit() {
        var receiver = DTMFReceiver()
        #expect(receive(&receiver, 16, timestamp: 1) == nil)
        let header = RTPHeader(payloadType: 101, sequence: 0, timestamp: 9_000, ssrc: 1)
        let short: [UInt8] = [1, 0, 0]
        let digit = receiver.receive(header, payload: short.span)
        #expect(digit == nil)
    }

    @Test("All sixteen keys have their code", arguments: Array("0123456789*#ABCD").enumerated().map { ($0, $1) })
    func codes(code: Int, key: Character) throws {
        let digit = try #require(DTMFDigit(key))
        #expect(Int(digit.eventCode) == code)
        #expect(DTMFDigit(eventCode: UInt8(code)) == digit)
    }
}
