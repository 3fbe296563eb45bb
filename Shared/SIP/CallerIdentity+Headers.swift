extension CallerIdentity {
    /// Reads who calls out of From, P-Asserted-Identity and Privacy.
    ///
    /// Withheld is who asks for it (RFC 3323 section 4.2), whose From is anonymous, or whose number is one of the strings
    /// that gateways write for a withheld caller.
    package init(from: SIPAddress, asserted values: [String], privacy: String?) {
        let asserted = values.flatMap(Self.addresses)
        let wishes = Set((privacy ?? "").lowercased().split { ";, \t".contains($0) }.map(String.init))
        let isWithheld = !wishes.isDisjoint(with: ["id", "user", "header"]) || Self.isAnonymous(from)
        self.init(presented: isWithheld ? nil : asserted.first ?? from, asserted: asserted, isWithheld: isWithheld)
    }

    private static let withheldUsers: Set<String> = [
        "anonymous", "restricted", "unavailable", "unknown", "withheld", "private",
        // The digits of ANONYMOUS and of RESTRICTED, UNAVAILABLE on a keypad.
        "266696687", "7378742833", "86282452253",
    ]

    private static func isAnonymous(_ address: SIPAddress) -> Bool {
        if address.uri.host == "anonymous.invalid" { return true }
        guard let user = address.uri.user?.lowercased() else { return false }
        return withheldUsers.contains(user.first == "+" ? String(user.dropFirst()) : user)
    }

    /// One header may hold a SIP and a tel URI (RFC 3325 section 9.1), separated by a comma outside quotes and brackets.
    private static func addresses(_ value: String) -> [SIPAddress] {
        var pieces = [""]
        var isQuoted = false
        var isBracketed = false
        var isEscaped = false
        for character in value {
            switch character {
            case _ where isEscaped: isEscaped = false
            case "\\" where isQuoted: isEscaped = true
            case "\"": isQuoted.toggle()
            case "<" where !isQuoted: isBracketed = true
            case ">" where !isQuoted: isBracketed = false
            case "," where !isQuoted && !isBracketed:
                pieces.append("")
                continue
            default: break
            }
            pieces[pieces.count - 1].append(character)
        }
        return pieces.compactMap { SIPAddress($0) }
    }
}
