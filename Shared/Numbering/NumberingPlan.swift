internal import CPhoneNumber
public import Domain

/// Reads telephone numbers as somebody in one region dials them. Any thread; a reading takes some ten microseconds.
///
/// Length decides whether a number is possible; whether it looks assigned is only told. Emergency and short numbers are
/// matched exactly: 911 is one, 91155512 is not.
public struct NumberingPlan: Hashable, Sendable {
    /// Nil: numbers without a plus are taken as international.
    public let region: Region?

    public init(region: Region?) {
        self.region = region
    }

    /// Reads what was dialled: an international number with `+` or `00` or the region's own prefix, with a missing plus, or
    /// a national one. Blanks and separators may stand between the digits. A country code that some gateway doubled is
    /// taken once.
    public func read(_ dialled: String) -> NumberReading {
        if WithheldCaller.isMark(dialled) { return .invalid(.withheld) }
        guard let text = DialledText(dialled) else { return .invalid(.notANumber) }
        if !text.isInternational && isEmergency(text.digits) { return .emergency }
        let raw = text.isInternational ? readInternational(text.digits) : readDialled(text.digits)
        return NumberReading(raw)
    }

    /// Reads the number of a caller: the user part of a From or P-Asserted-Identity.
    public func readCaller(_ user: String) -> CallerReading {
        if WithheldCaller.isMark(user) { return .withheld }
        guard let text = DialledText(user) else { return .other(user) }
        let raw = text.isInternational ? readInternational(text.digits) : readDialled(text.digits)
        return NumberReading(raw).number.map(CallerReading.number) ?? .other(user)
    }

    /// The identity could be mistaken for a number with a special meaning: an emergency number here or in every network, or
    /// a short number here. Nobody may be named so.
    public func isReserved(_ identity: Identity) -> Bool {
        guard identity.isNumeric else { return false }
        if isEmergency(identity.description) { return true }
        return region.map { bw_number_is_short(identity.description, $0.description) } ?? false
    }

    /// 112 and 911 reach help in every network (3GPP TS 22.101, section 10.1), the others in their regions.
    private func isEmergency(_ digits: String) -> Bool {
        if digits == "112" || digits == "911" { return true }
        guard let region else { return bw_number_is_emergency_anywhere(digits) }
        return bw_number_is_emergency(digits, region.description)
    }

    /// Behind a plus.
    private func readInternational(_ digits: String) -> bw_number {
        let digits = digits.hasPrefix("00") ? String(digits.dropFirst(2)) : digits
        let reading = bw_number_read("+\(digits)", "")
        let code = String(reading.country_code)
        guard reading.status == BW_NUMBER_TOO_LONG, digits.hasPrefix(code + code) else { return reading }
        let once = bw_number_read("+\(digits.dropFirst(code.count))", "")
        return once.isPossible ? once : reading
    }

    /// Without a plus.
    private func readDialled(_ digits: String) -> bw_number {
        if digits.hasPrefix("00") {
            let international = readInternational(String(digits.dropFirst(2)))
            if international.isPossible { return international }
        }
        guard let region else { return readInternational(digits) }
        let national = bw_number_read(digits, region.description)
        guard digits.first != "0" else { return national }
        let international = readInternational(digits)
        guard international.isPossible else { return national }
        guard national.isPossible else { return international }
        let startsWithOwnCode = digits.hasPrefix(String(region.countryCode))
        return startsWithOwnCode && prefersPlus(international, to: national, in: region) ? international : national
    }

    /// Digits that begin with the region's own country code and are possible with and without it: the reading that looks
    /// assigned wins. When both or neither do, a region whose national numbers have a trunk 0 would have shown it, and
    /// an unassigned one is not made longer by a second country code.
    private func prefersPlus(_ international: bw_number, to national: bw_number, in region: Region) -> Bool {
        if international.valid != national.valid { return international.valid }
        return region.hasTrunkZero || !national.valid
    }
}

extension bw_number {
    fileprivate var isPossible: Bool { status == BW_NUMBER_POSSIBLE }
}

extension NumberReading {
    fileprivate init(_ raw: bw_number) {
        switch raw.status {
        case BW_NUMBER_POSSIBLE:
            let text = withUnsafeBytes(of: raw.number) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            self = E164(text).map { .number($0, looksAssigned: raw.valid) } ?? .invalid(.wrongLength)
        case BW_NUMBER_TOO_SHORT: self = .invalid(.tooShort)
        case BW_NUMBER_LOCAL_ONLY: self = .invalid(.localOnly)
        case BW_NUMBER_TOO_LONG: self = .invalid(.tooLong)
        case BW_NUMBER_WRONG_LENGTH: self = .invalid(.wrongLength)
        case BW_NUMBER_UNKNOWN_COUNTRY: self = .invalid(.unknownCountry)
        default: self = .invalid(.notANumber)
        }
    }
}
