public import Domain

/// What dialled digits mean.
public enum NumberReading: Hashable, Sendable {
    /// A number of a length that its plan has. `looksAssigned` is false when it matches none of the library's patterns:
    /// a warning only, since they are older than the newest area codes.
    case number(E164, looksAssigned: Bool)
    case emergency
    case invalid(InvalidNumber)

    public var number: E164? {
        if case .number(let number, _) = self { number } else { nil }
    }
}

/// Why dialled digits are no telephone number.
public enum InvalidNumber: String, Hashable, Sendable {
    /// Letters, signs, or nothing at all.
    case notANumber
    case tooShort
    /// Can only be dialled inside one area, so that it has no international form.
    case localOnly
    case tooLong
    case wrongLength
    case unknownCountry
    /// What gateways send in place of a caller who withholds the number.
    case withheld

    /// For a person.
    public var explanation: String {
        switch self {
        case .notANumber: "not a telephone number"
        case .tooShort: "too short for a telephone number"
        case .localOnly: "only dialled inside one area; the area code is missing"
        case .tooLong: "too long for a telephone number"
        case .wrongLength: "of a length that its numbering plan does not have"
        case .unknownCountry: "without a known country code"
        case .withheld: "the mark of a withheld caller, not a number"
        }
    }
}
