enum SIPURIParser {
    static func parse(_ text: String) -> SIPURI? { nil }
    static func text(of uri: SIPURI) -> String { "" }
    static func number(of uri: SIPURI) -> String? { nil }
}
