internal import CPhoneNumber

/// A country or territory with a numbering plan of its own: ISO 3166 alpha-2, upper case.
public struct Region: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    /// Reads either case; nil for a code that ISO does not have or whose numbering plan is unknown.
    public init?(_ code: String) {
        let upper = code.uppercased()
        guard upper.utf8.count == 2, upper.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }),
            bw_number_is_region(upper)
        else { return nil }
        description = upper
    }

    /// The calling code, such as 44.
    public var countryCode: Int { Int(bw_number_country_code(description)) }

    /// National numbers are dialled with a 0 in front that is no part of them.
    var hasTrunkZero: Bool { bw_number_has_trunk_zero(description) }
}
