/// The host part of an account's SIP addresses: a host name (RFC 1123, section 2.1) or an IPv4 address, in lower case.
struct SIPDomain: Equatable {
    let text: String

    init?(_ text: String) {
        let lower = text.lowercased()
        let labels = lower.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...253).contains(lower.utf8.count), labels.allSatisfy(SIPDomain.isLabel) else { return nil }
        if labels.last?.utf8.allSatisfy({ (0x30...0x39).contains($0) }) == true {
            let isAddress = labels.count == 4 && labels.allSatisfy { UInt8($0) != nil }
            guard isAddress else { return nil }
        }
        self.text = lower
    }

    /// What an account gets that names no domain; `.internal` is reserved for private use.
    init(of account: AccountName) {
        let label = String(account.text.lowercased().map { $0 == "." || $0 == "_" ? "-" : $0 })
        text = String(label.reversed().drop { $0 == "-" }.reversed()) + ".bellwire.internal"
    }

    private static func isLabel(_ label: Substring) -> Bool {
        guard (1...63).contains(label.utf8.count), label.first != "-", label.last != "-" else { return false }
        return label.utf8.allSatisfy { AccountName.isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
    }
}
