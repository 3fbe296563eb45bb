import Domain
import Testing

@Suite struct PageTokenTests {
    @Test("A token reads back as itself in its own scope, for any moment and id")
    func roundTrip() {
        for microseconds in [0, 1, -1, Int64.max, Int64.min, 1_760_000_000_123_456] {
            let token = PageToken(microseconds: microseconds, id: .make(slot: 63))
            let text = token.text(scope: "records/a/b")
            #expect(text.utf8.count == 56)
            #expect(PageToken(text, scope: "records/a/b") == token)
        }
    }

    @Test("In another scope it is no token")
    func scope() {
        let text = PageToken(id: .make()).text(scope: "users/1")
        for other in ["users/2", "users", "", "numbers/1", "users/1 "] {
            #expect(PageToken(text, scope: other) == nil, "\(other)")
        }
    }

    @Test("One changed, missing or added character is noticed, wherever it stands")
    func damage() {
        let text = PageToken(microseconds: 42, id: .make()).text(scope: "s")
        for index in text.indices {
            var damaged = text
            let character: Character = text[index] == "0" ? "1" : "0"
            damaged.replaceSubrange(index...index, with: String(character))
            #expect(PageToken(damaged, scope: "s") == nil, "\(damaged)")
            damaged.remove(at: index)
            #expect(PageToken(damaged, scope: "s") == nil)
        }
        for other in ["", "0", text + "0", text.uppercased() + " ", "é", String(repeating: "-", count: 56)] {
            #expect(PageToken(other, scope: "s") == nil)
        }
    }
}
