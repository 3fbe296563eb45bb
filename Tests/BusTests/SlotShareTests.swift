import Bus
import Testing

@Suite struct SlotShareTests {
    @Test("Shares are even and add up, for any number of members")
    func even() {
        for count in 1...70 {
            let members = (0..<count).map { "calls/calls-\($0)" }
            let shares = members.map { SlotShare.quota(of: $0, among: members.shuffled(), slots: 64) }
            #expect(shares.reduce(0, +) == 64)
            #expect((shares.max() ?? 0) - (shares.min() ?? 0) <= 1)
        }
    }

    @Test("A member that the others do not see yet counts itself")
    func unseen() {
        #expect(SlotShare.quota(of: "b", among: ["a"], slots: 64) == 32)
        #expect(SlotShare.quota(of: "a", among: [], slots: 64) == 64)
    }
}
