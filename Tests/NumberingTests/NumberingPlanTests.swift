import Domain
import Numbering
import Testing

private func plan(_ region: String?) -> NumberingPlan { NumberingPlan(region: region.flatMap(Region.init)) }

@Suite struct NumberingPlanTests {
    @Test(
        "What people and gateways dial has one canonical form",
        arguments: [
            ("+447700900123", nil, "+447700900123"),
            ("00447700900123", "GB", "+447700900123"),
            ("00447700900123", "US", "+447700900123"),
            ("00447700900123", nil, "+447700900123"),
            ("447700900123", "GB", "+447700900123"),
            ("447700900123", "US", "+447700900123"),
            ("447700900123", nil, "+447700900123"),
            ("07700900123", "GB", "+447700900123"),
            ("7700900123", "GB", "+447700900123"),
            ("+4407700900123", "US", "+447700900123"),
            ("+44 (0)7700 900-123", "US", "+447700900123"),
            ("+44447700900123", "GB", "+447700900123"),
            ("0044447700900123", "GB", "+447700900123"),
            ("+00447700900123", "GB", "+447700900123"),
            ("011447700900123", "US", "+447700900123"),
            ("0011447700900123", "AU", "+447700900123"),
            ("2024561414", "US", "+12024561414"),
            ("12024561414", "US", "+12024561414"),
            ("(202) 456-1414", "US", "+12024561414"),
            ("12024561414", "GB", "+12024561414"),
            ("6500100199", "SG", "+6500100199"),
            ("006500100199", "SG", "+6500100199"),
            ("+6500100199", "GB", "+6500100199"),
            ("6500100199", nil, "+6500100199"),
            ("6500100199", "US", "+16500100199"),
            ("4915112345678", "DE", "+4915112345678"),
            ("0612345678", "IT", "+390612345678"),
            ("+390612345678", "US", "+390612345678"),
        ] as [(String, String?, String)])
    func canonicalForm(dialled: String, region: String?, expected: String) {
        #expect(plan(region).read(dialled).number?.description == expected)
    }

    @Test("The canonical form reads as itself in every region", arguments: ["GB", "US", "SG", "DE", "IT", nil])
    func canonicalFormIsStable(region: String?) {
        for text in ["+447700900123", "+12024561414", "+6500100199", "+390612345678", "+4915112345678"] {
            #expect(plan(region).read(text).number?.description == text)
        }
    }

    @Test("What cannot be a number is refused, and says why")
    func refusals() {
        #expect(plan("US").read("5550100") == .invalid(.localOnly))
        #expect(plan("US").read("+15550100") == .invalid(.localOnly))
        #expect(plan("US").read("91155512") == .invalid(.tooShort))
        #expect(plan("GB").read("+4477009001234567") == .invalid(.tooLong))
        #expect(plan("GB").read("+999123456789") == .invalid(.unknownCountry))
        for text in ["alice", "user911", "+", "++447700900123", "44+7700900123", "1-800-FLOWERS", "*21#", "%zz", "%2"] {
            #expect(plan("US").read(text) == .invalid(.notANumber), "\(text)")
        }
        #expect(plan("US").read(String(repeating: "1", count: 65)) == .invalid(.notANumber))
        #expect(plan("US").read(String(repeating: "9", count: 64)).number == nil)
    }

    @Test("An area code newer than the library's data may be dialled; it only looks unassigned")
    func validityIsAWarning() {
        guard case .number(let number, let looksAssigned) = plan("US").read("+15551234567") else {
            Issue.record("refused")
            return
        }
        #expect(number.description == "+15551234567")
        #expect(!looksAssigned)
        #expect(plan("US").read("2024561414") == .number(E164("+12024561414")!, looksAssigned: true))
    }

    @Test("Emergency numbers match exactly, never as the beginning of another number")
    func emergency() {
        #expect(plan("US").read("911") == .emergency)
        #expect(plan("US").read("9-1-1") == .emergency)
        #expect(plan("GB").read("999") == .emergency)
        #expect(plan("GB").read("911") == .emergency)
        #expect(plan("SG").read("112") == .emergency)
        #expect(plan("DE").read("110") == .emergency)
        #expect(plan(nil).read("110") == .emergency)
        #expect(plan("US").read("999") != .emergency)
        #expect(plan("US").read("91155512") != .emergency)
        #expect(plan("US").read("9115551234") == .number(E164("+19115551234")!, looksAssigned: false))
        #expect(plan("GB").read("user911") != .emergency)
        #expect(plan("US").read("+911") != .emergency)
    }

    @Test("An identity that is an emergency or short number is reserved, one that only starts so is not")
    func reservedIdentities() throws {
        func reserved(_ text: String, _ region: String) throws -> Bool {
            plan(region).isReserved(try #require(Identity(text)))
        }
        #expect(try reserved("911", "US"))
        #expect(try reserved("911", "GB"))
        #expect(try reserved("112", "SG"))
        #expect(try reserved("999", "GB"))
        #expect(try reserved("611", "US"))
        #expect(try !reserved("91155512", "US"))
        #expect(try !reserved("user911", "US"))
        #expect(try !reserved("911_", "US"))
        #expect(try !reserved("alice", "US"))
        #expect(try !reserved("2024561414", "US"))
    }

    @Test("A withheld caller is withheld, and its mark is never dialable")
    func withheld() {
        for mark in ["anonymous", "Anonymous", "RESTRICTED", "", "+266696687", "unavailable"] {
            #expect(plan("US").readCaller(mark) == .withheld, "\(mark)")
            #expect(plan("US").read(mark) == .invalid(.withheld), "\(mark)")
        }
        #expect(plan("GB").readCaller("07700900123") == .number(E164("+447700900123")!))
        #expect(plan("GB").readCaller("alice") == .other("alice"))
        #expect(plan("GB").readCaller("1001") == .other("1001"))
        // An Austin number whose digits spell a mark, dialled without a plus.
        #expect(plan("US").readCaller("7378742833") == .number(E164("+17378742833")!))
    }

    @Test("Separators, copied marks, escapes and telephone URI parameters are no part of the number")
    func separators() {
        let expected = E164("+447700900123")
        for text in [
            "+44 7700 900123", "+44-7700-900123", "+44.7700.900123", "\u{202A}+44\u{A0}7700\u{2011}900123\u{202C}",
            "tel:+447700900123", "+447700900123;isub=12", "%2B447700900123", "07700900123;phone-context=+44",
        ] {
            #expect(plan("GB").read(text).number == expected, "\(text)")
        }
    }

    @Test("A region is an ISO code with a known plan")
    func regions() {
        #expect(Region("gb")?.description == "GB")
        #expect(Region("GB")?.countryCode == 44)
        for code in ["UK", "ZZ", "", "G", "GBR", "001", "é1"] { #expect(Region(code) == nil, "\(code)") }
    }

    @Test("Any text is read without a crash, and what is read is canonical")
    func arbitraryText() {
        var random = SeededGenerator(seed: 0x6265_6c6c)
        let alphabet = Array("0123456789+++-() .;%abcXYZ\u{0}é\u{FF10}*#".unicodeScalars)
        for _ in 0..<20_000 {
            var text = ""
            for _ in 0..<Int.random(in: 0...20, using: &random) {
                text.unicodeScalars.append(alphabet.randomElement(using: &random)!)
            }
            guard let number = plan("GB").read(text).number else { continue }
            #expect(plan("US").read(number.description).number == number)
        }
    }

    @Test("Many threads may read at once")
    func concurrentReading() async {
        await withTaskGroup(of: Bool.self) { group in
            for index in 0..<64 {
                group.addTask {
                    let number = "+44770090\(format4(index))"
                    return (0..<200).allSatisfy { _ in
                        plan("US").read(number).number?.description == number && plan("US").read("911") == .emergency
                    }
                }
            }
            for await right in group { #expect(right) }
        }
    }
}

private func format4(_ value: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: 4 - digits.count) + digits
}

/// SplitMix64: the same text in every run.
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
