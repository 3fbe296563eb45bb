/// The marks that networks and gateways put in place of a caller's number. They are never dialled.
public enum WithheldCaller {
    /// User parts, compared without case. RFC 3323 has `anonymous`; the others are gateways' habits.
    private static let names: Set<String> = [
        "", "anonymous", "restricted", "private", "withheld", "unavailable", "unknown", "blocked", "nonumber",
        "unidentified", "no-caller-id",
    ]

    /// The same words typed on a telephone's keys behind a plus: ANONYMOUS, RESTRICTED, UNAVAILABLE, UNKNOWN, BLOCKED.
    private static let spelled: Set<String> = [
        "+266696687", "266696687", "+7378742833", "+86282452253", "+8656696", "+2562533",
    ]

    /// Whether the user part of a SIP address or a telephone URI says that the caller withholds the number.
    public static func isMark(_ user: String) -> Bool {
        let text = user.lowercased().filter { !$0.isWhitespace }
        return names.contains(text) || spelled.contains(text)
    }
}
