import FoundationEssentials

/// A request of rtpengine's ng protocol: `cookie SP body`, the body in JSON.
struct NGRequest: Encodable {
    enum Command: String, Encodable {
        case ping, offer, answer, delete, query, list
    }

    var command: Command
    var callID: String?
    var fromTag: String?
    var toTag: String?
    var sdp: String?
    var replace: [String]?
    var ice: String?
    var transport: String?
    var rtcpMux: [String]?
    var flags: [String]?
    /// Seconds until a deleted session is really gone.
    var deleteDelay: Int?
    /// Sessions to list at most.
    var limit: String?

    init(_ command: Command) {
        self.command = command
    }

    private enum CodingKeys: String, CodingKey {
        case command, sdp, replace, flags, limit
        case callID = "call-id"
        case fromTag = "from-tag"
        case toTag = "to-tag"
        case ice = "ICE"
        case transport = "transport-protocol"
        case rtcpMux = "rtcp-mux"
        case deleteDelay = "delete-delay"
    }

    func datagram(cookie: String) throws -> [UInt8] {
        Array("\(cookie) ".utf8) + Array(try JSONEncoder().encode(self))
    }
}

struct NGResponse: Decodable {
    var result: String
    var sdp: String?
    var reason: String?
    var calls: [String]?
    var totals: Totals?

    struct Totals: Decodable {
        struct Count: Decodable {
            var packets: UInt64
        }

        var rtp: Count?

        private enum CodingKeys: String, CodingKey {
            case rtp = "RTP"
        }
    }

    private enum CodingKeys: String, CodingKey {
        case result, sdp, calls, totals
        case reason = "error-reason"
    }

    /// The cookie and the body of a datagram; nil when it is no ng message.
    static func split(_ datagram: [UInt8]) -> (cookie: String, body: ArraySlice<UInt8>)? {
        guard let space = datagram.firstIndex(of: UInt8(ascii: " ")), space > 0 else { return nil }
        return (String(decoding: datagram[..<space], as: UTF8.self), datagram[(space + 1)...])
    }

    /// Nil when the body is no response.
    init?(body: ArraySlice<UInt8>) {
        guard let response = try? JSONDecoder().decode(NGResponse.self, from: Data(body)) else { return nil }
        self = response
    }

    /// The relay does not know the call id that the request named.
    var isUnknownCall: Bool {
        (reason ?? "").lowercased().contains("unknown call")
            || (reason ?? "").lowercased().contains("call-id not found")
    }
}
