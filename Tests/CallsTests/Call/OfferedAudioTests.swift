import CallsCore
import Media
import SIP
import Testing

@Suite("What a body says")
struct OfferedAudioTests {
    @Test("an offer with a codec of ours is usable, another is not")
    func offers() {
        #expect(OfferedAudio(.sdp(SampleSDP.offer())) == .usable(SampleSDP.offer()))
        #expect(OfferedAudio(.sdp(SampleSDP.offer(codecs: "8"))) == .usable(SampleSDP.offer(codecs: "8")))
        #expect(OfferedAudio(.sdp(SampleSDP.offer(codecs: "18"))) == .noCommonCodec(SampleSDP.offer(codecs: "18")))
        #expect(OfferedAudio(.sdp(SampleSDP.offer(codecs: "101"))) == .noCommonCodec(SampleSDP.offer(codecs: "101")))
        #expect(OfferedAudio(nil) == .absent)
        #expect(OfferedAudio(SIPBody(contentType: "text/plain", bytes: [65])) == .unsupportedType)
        #expect(OfferedAudio(.sdp("nonsense")) == .malformed)
        #expect(OfferedAudio(.sdp([0xFF, 0xFE, 0x00])) == .malformed)
    }

    @Test(
        "an offer whose audio could not be sent anywhere is refused before it rings",
        arguments: [
            ("c=IN IP4 phone.example\r\n", "m=audio 4000 RTP/AVP 0\r\n", OfferedAudio.foreignAddress),
            ("c=IN IP4 192.0.2\r\n", "m=audio 4000 RTP/AVP 0\r\n", .foreignAddress),
            ("c=IN IP4 192.0.2.256\r\n", "m=audio 4000 RTP/AVP 0\r\n", .foreignAddress),
            ("c=IN IP4 255.255.255.255\r\n", "m=audio 4000 RTP/AVP 0\r\n", .foreignAddress),
            ("c=IN IP6 2001:db8::1\r\n", "m=audio 4000 RTP/AVP 0\r\n", .foreignAddress),
            ("c=IN IP4 224.2.1.1/127\r\n", "m=audio 4000 RTP/AVP 0\r\n", .multicast),
            ("c=IN IP6 FF15::101\r\n", "m=audio 4000 RTP/AVP 0\r\n", .multicast),
            ("", "m=audio 4000 RTP/AVP 0\r\n", .malformed),
            ("c=IN IP4\r\n", "m=audio 4000 RTP/AVP 0\r\n", .malformed),
            ("c=IN IP4 192.0.2.1\r\n", "m=audio 4000 RTP/AVP 0 300\r\n", .malformed),
            ("c=IN IP4 192.0.2.1\r\n", "m=audio 4000 RTP/AVP PCMU\r\n", .malformed),
            ("c=IN IP4 192.0.2.1\r\n", "m=audio 70000 RTP/AVP 0\r\n", .malformed),
        ])
    func unusable(connection: String, medium: String, audio: OfferedAudio) {
        let text = "v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=-\r\n\(connection)t=0 0\r\n\(medium)"
        #expect(OfferedAudio(.sdp(text)) == audio)
    }

    @Test(
        "an offer without audio of ours has no common codec",
        arguments: ["m=audio 0 RTP/AVP 0\r\n", "m=video 4000 RTP/AVP 96\r\na=rtpmap:96 VP8/90000\r\n", ""])
    func noAudio(medium: String) {
        let text = "v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=-\r\nc=IN IP4 192.0.2.1\r\nt=0 0\r\n\(medium)"
        #expect(OfferedAudio(.sdp(text)) == .noCommonCodec(text))
    }

    @Test(
        "an earlier answer takes the direction that a new offer allows",
        arguments: [
            ("sendrecv", "sendrecv"), ("sendonly", "recvonly"), ("recvonly", "sendonly"), ("inactive", "inactive"),
        ])
    func hold(offered: String, answered: String) throws {
        let fitted = try #require(
            RepeatedAnswer.fit(SampleSDP.offer(port: 7000), to: SampleSDP.offer(direction: offered)))
        let description = try SessionDescription(parsing: fitted)
        #expect(description.direction(of: description.media[0]).rawValue == answered)
        #expect(description.media[0].port == 7000)
    }

    @Test("an answer whose codec is offered no more cannot be repeated")
    func codecGone() {
        #expect(RepeatedAnswer.fit(SampleSDP.offer(codecs: "0"), to: SampleSDP.offer(codecs: "8")) == nil)
        #expect(RepeatedAnswer.fit(SampleSDP.offer(), to: "nonsense") == nil)
    }

    @Test(
        "a digit by INFO is read in every form that is sent",
        arguments: [
            ("application/dtmf-relay", "Signal=5\r\nDuration=160\r\n", "5"),
            ("application/dtmf-relay", "Signal= #\nDuration=100", "#"),
            ("application/dtmf-relay", "signal=11\r\n", "#"), ("application/dtmf", "*", "*"),
            ("application/dtmf", "a\r\n", "A"),
        ])
    func digits(type: String, body: String, digit: String) {
        #expect(DTMFInfo(SIPBody(contentType: type, bytes: Array(body.utf8))) == .digit(Character(digit)))
    }

    @Test("what is no digit is malformed, what is no DTMF is nothing")
    func noDigits() {
        for body in ["", "Signal=", "Signal=55", "Duration=160", "Signal=E"] {
            #expect(DTMFInfo(SIPBody(contentType: "application/dtmf-relay", bytes: Array(body.utf8))) == .malformed)
        }
        #expect(DTMFInfo(SIPBody(contentType: "application/media_control+xml", bytes: [])) == nil)
    }
}
