enum SIPAddressParser {
    static func parse(_ text: String) -> SIPAddress? { nil }
    static func text(of address: SIPAddress) -> String { "" }
}
