package import SIP

/// A digit sent in an INFO request: `application/dtmf-relay` (`Signal=5`, `Duration=160`) or `application/dtmf` (`5`).
package enum DTMFInfo: Hashable, Sendable {
    case digit(Character)
    case malformed

    package static let contentTypes = ["application/dtmf-relay", "application/dtmf"]
    private static let digits: Set<Character> = Set("0123456789*#ABCD")

    /// Nil when the body is of another kind.
    package init?(_ body: SIPBody) {
        let text = String(decoding: body.bytes.prefix(256), as: UTF8.self)
        let signal: String?
        switch body.contentType {
        case "application/dtmf-relay":
            signal =
                text.split(whereSeparator: \.isNewline).lazy.compactMap { line -> String? in
                    let parts = line.split(separator: "=", maxSplits: 1).map { $0.trimmingBlanks }
                    return parts.count == 2 && parts[0].lowercased() == "signal" ? parts[1] : nil
                }.first
        case "application/dtmf": signal = text.split(whereSeparator: \.isNewline).first?.trimmingBlanks
        default: return nil
        }
        guard let signal = signal?.uppercased(), let digit = DTMFInfo.digit(signal) else {
            self = .malformed
            return
        }
        self = .digit(digit)
    }

    /// Some senders count the keys: 10 is the star, 11 the pound sign.
    private static func digit(_ signal: String) -> Character? {
        switch signal {
        case "10": "*"
        case "11": "#"
        default: signal.count == 1 ? signal.first.flatMap { digits.contains($0) ? $0 : nil } : nil
        }
    }
}

extension Substring {
    fileprivate var trimmingBlanks: String {
        var rest = self
        while rest.first == " " || rest.first == "\t" { rest.removeFirst() }
        while rest.last == " " || rest.last == "\t" { rest.removeLast() }
        return String(rest)
    }
}
