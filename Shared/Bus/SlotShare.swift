/// How many slots each member of a group should have: as even as it goes, the first in order of names get the rest.
package enum SlotShare {
    package static func quota(of member: String, among members: [String], slots: Int) -> Int {
        let sorted = Set(members).union([member]).sorted()
        let rank = sorted.firstIndex(of: member) ?? 0
        return slots / sorted.count + (rank < slots % sorted.count ? 1 : 0)
    }
}
