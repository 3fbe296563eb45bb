import Media
import Testing

struct SessionDescriptionTests {
    static let relayOffer = """
        v=0\r
        o=- 1545997027 1 IN IP4 192.0.2.9\r
        s=-\r
        c=IN IP4 192.0.2.7\r
        t=0 0\r
        m=video 5000 RTP/AVP 96\r
        a=rtpmap:96 VP8/90000\r
        m=audio 30000 RTP/AVP 111 9 8 0 101\r
        a=rtpmap:111 opus/48000/2\r
        a=fmtp:111 useinbandfec=1\r
        a=rtpmap:101 telephone-event/8000\r
        a=fmtp:101 0-16\r
        a=sendrecv\r
        a=rtcp:30005\r
        a=ptime:20\r

        """

    @Test("A description reads what it was written from, byte for byte")
    func roundTrip() throws {
        let parsed = try SessionDescription(parsing: Self.relayOffer)
        #expect(parsed.text == Self.relayOffer)
        #expect(try SessionDescription(parsing: parsed.text) == parsed)
        #expect(parsed.media[1].rtcpPort == 30_005)
        #expect(parsed.media[1].ptime == 20)
        #expect(parsed.connection(of: parsed.media[1])?.address == "192.0.2.7")
    }

    @Test("Lines may end in a bare line feed")
    func bareLineFeeds() throws {
        let text = Self.relayOffer.replacing("\r\n", with: "\n")
        #expect(try SessionDescription(parsing: text).text == Self.relayOffer)
    }

    @Test("The codec is the first known one in the offer's order, its number the offer's")
    func orderOfPreference() throws {
        let offer = try SessionDescription(parsing: Self.relayOffer)
        #expect(offer.knownCodecs == [.opus, .pcma, .pcmu])
        let (index, audio) = try AudioNegotiation().negotiate(offer)
        #expect(index == 1)
        #expect(audio.codec == .opus)
        #expect(audio.payloadType == 111)
        #expect(audio.eventPayloadType == 101)
        #expect(audio.remotePort == 30_000)
        let g711 = try AudioNegotiation(codecs: [.pcmu, .pcma]).negotiate(offer).audio
        #expect(g711.codec == .pcma)
        #expect(g711.payloadType == 8)
    }

    @Test("The answer keeps the media in order and refuses all but one with port 0")
    func answer() throws {
        let offer = try SessionDescription(parsing: Self.relayOffer)
        let (answer, _) = try AudioNegotiation().answer(
            offer, address: "127.0.0.1", rtpPort: 26_400, rtcpPort: 26_401, sessionID: 7)
        #expect(
            answer.text == """
                v=0\r
                o=bellwire 7 1 IN IP4 127.0.0.1\r
                s=-\r
                c=IN IP4 127.0.0.1\r
                t=0 0\r
                m=video 0 RTP/AVP 96\r
                m=audio 26400 RTP/AVP 111 101\r
                a=rtpmap:111 opus/48000/2\r
                a=rtpmap:101 telephone-event/8000\r
                a=fmtp:101 0-15\r
                a=ptime:20\r
                a=maxptime:200\r
                a=rtcp:26401\r
                a=sendrecv\r

                """)
    }

    @Test("Static payload types need no rtpmap; names are compared without case; Opus wants its rate and channels")
    func formats() throws {
        func codecs(_ lines: String) throws -> [AudioCodec] {
            try SessionDescription(parsing: "v=0\no=- 1 1 IN IP4 192.0.2.1\ns=-\nc=IN IP4 192.0.2.1\nt=0 0\n" + lines)
                .knownCodecs
        }
        #expect(try codecs("m=audio 4000 RTP/AVP 0\n") == [.pcmu])
        #expect(try codecs("m=audio 4000 RTP/AVP 96\na=rtpmap:96 OPUS/48000/2\n") == [.opus])
        #expect(try codecs("m=audio 4000 RTP/AVP 96\na=rtpmap:96 opus/48000\n") == [])
        #expect(try codecs("m=audio 4000 RTP/AVP 96\na=rtpmap:96 pcmu/16000\n") == [])
        #expect(try codecs("m=audio 0 RTP/AVP 0\n") == [])
        // A number mapped anew is what the map says.
        #expect(try codecs("m=audio 4000 RTP/AVP 0\na=rtpmap:0 G729/8000\n") == [])
    }

    @Test(
        "The answer's direction mirrors the offer's",
        arguments: [
            ("sendrecv", MediaDirection.sendReceive), ("sendonly", .receiveOnly), ("recvonly", .sendOnly),
            ("inactive", .inactive),
        ])
    func direction(offered: String, answered: MediaDirection) throws {
        let offer = try SessionDescription(
            parsing: Self.relayOffer.replacing("a=sendrecv", with: "a=\(offered)"))
        #expect(try AudioNegotiation().negotiate(offer).audio.direction == answered)
        let session = try SessionDescription(
            parsing: Self.relayOffer.replacing("a=sendrecv\r\n", with: "")
                .replacing("t=0 0\r\n", with: "t=0 0\r\na=\(offered)\r\n"))
        #expect(try AudioNegotiation().negotiate(session).audio.direction == answered)
    }

    @Test("Held by address 0.0.0.0, nothing is sent there")
    func heldByAddress() throws {
        let offer = try SessionDescription(parsing: Self.relayOffer.replacing("192.0.2.7", with: "0.0.0.0"))
        #expect(try AudioNegotiation().negotiate(offer).audio.direction == .receiveOnly)
    }

    @Test("rtcp-mux is answered by rtcp-mux")
    func rtcpMux() throws {
        let offer = try SessionDescription(parsing: Self.relayOffer.replacing("a=ptime:20", with: "a=rtcp-mux"))
        let (answer, audio) = try AudioNegotiation().answer(
            offer, address: "127.0.0.1", rtpPort: 26_400, rtcpPort: 26_401, sessionID: 7)
        #expect(audio.hasRTCPMux)
        #expect(answer.media[1].hasRTCPMux)
        #expect(answer.media[1].value(of: "rtcp") == nil)
    }

    @Test("Without a codec of ours there is no answer; without plain audio neither")
    func noCommonCodec() throws {
        let g729 = Self.relayOffer.replacing("RTP/AVP 111 9 8 0 101", with: "RTP/AVP 9 18 101")
        #expect(throws: AudioNegotiation.Failure.noCommonCodec) {
            try AudioNegotiation().negotiate(try SessionDescription(parsing: g729))
        }
        let secure = Self.relayOffer.replacing("30000 RTP/AVP", with: "30000 RTP/SAVP")
        #expect(throws: AudioNegotiation.Failure.noAudio) {
            try AudioNegotiation().negotiate(try SessionDescription(parsing: secure))
        }
    }

    @Test(
        "What breaks the grammar is refused",
        arguments: [
            "", "v=0\r\n", "v=1\r\no=- 1 1 IN IP4 1.2.3.4\r\n", "hello", "v=0\r\no=- 1 1 IN IP4\r\n",
            "v=0\r\no=- 1 1 IN IP4 1.2.3.4\r\nm=audio 99999 RTP/AVP 0\r\n",
            "v=0\r\no=- 1 1 IN IP4 1.2.3.4\r\nm=audio 4000 RTP/AVP\r\n",
            "v=0\r\no=- 1 1 IN IP4 1.2.3.4\r\nc=IN IP9 x\r\n",
        ])
    func refused(text: String) {
        #expect(throws: SDPError.self) { try SessionDescription(parsing: text) }
    }

    @Test("Twenty thousand mutated descriptions neither trap nor lose their form")
    func fuzz() {
        var random = SeededGenerator(seed: 41)
        let original = Array(Self.relayOffer.utf8)
        for _ in 0..<20_000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: index)
                default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
                }
            }
            guard let parsed = try? SessionDescription(parsing: String(decoding: bytes, as: UTF8.self)) else {
                continue
            }
            _ = try? AudioNegotiation().answer(parsed, address: "127.0.0.1", rtpPort: 2, rtcpPort: 3, sessionID: 1)
            // An empty name is written as a dash: from then on the text stays.
            let written = parsed.text
            #expect((try? SessionDescription(parsing: written))?.text == written)
        }
    }
}
