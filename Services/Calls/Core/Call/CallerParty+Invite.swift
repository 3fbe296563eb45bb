import Domain
package import Numbering
package import SIP

extension CallerParty {
    private static let maximumNameCharacters = 128

    /// The caller of an INVITE. A national number is read in the callee's region; one that is in no plan keeps its digits, and
    /// a caller without a number is named by the address. Whoever withholds the number is shown by no name either.
    package init(_ identity: CallerIdentity, plan: NumberingPlan) {
        guard !identity.isWithheld, let address = identity.presented else {
            self.init(number: nil, isWithheld: true, displayName: nil)
            return
        }
        let name = address.displayName.map { String($0.prefix(CallerParty.maximumNameCharacters)) }
        let user = address.uri.number ?? address.uri.user ?? ""
        switch plan.readCaller(user) {
        case .number(let number):
            self.init(number: number.description, isWithheld: false, displayName: name)
        case .withheld:
            self.init(number: nil, isWithheld: true, displayName: nil)
        case .other:
            let number = CallerParty.digits(address.uri.number) ?? "sip:\(user)@\(address.uri.host)"
            self.init(number: number, isWithheld: false, displayName: name)
        }
    }

    /// Digits behind at most one plus; nil when there are none.
    private static func digits(_ number: String?) -> String? {
        guard let number else { return nil }
        let kept = number.filter { ("0"..."9").contains($0) }
        guard !kept.isEmpty else { return nil }
        return (number.hasPrefix("+") ? "+" : "") + kept
    }
}
