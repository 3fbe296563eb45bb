import Testing
import Wire
import WireFormat

@Suite("Log texts")
struct RedactionTests {
    @Test("A sensitive field is hidden, alone, in a list, in a map, in a oneof")
    func hidden() {
        let text = "\(Samples.names)"
        for secret in ["\"12\"", "\"13\"", "\"14\""] { #expect(!text.contains(secret)) }
        #expect(text.contains("secret: hidden, secrets: hidden, hidden: hidden"))
        #expect(text.contains("shown: \"16\""))
        let number = ConformanceV1.Choices(other: .phoneNumber("+447700900123"))
        #expect(number.description == "Choices(phoneNumber: hidden)")
    }

    @Test("It is hidden inside other messages and however it is printed")
    func nested() {
        let party = CallsV1.Party(local: true, number: "+447700900123", displayName: "Alice")
        let event = CallsV1.CallEvent(call: CallsV1.Call(id: "c", state: .ringing, caller: party))
        #expect(
            "\(event)"
                == "CallEvent(call: Call(id: \"c\", state: ringing, caller: Party(local: true, number: hidden, "
                + "displayName: hidden)))")
        for text in ["\(event)", String(describing: event), String(reflecting: [event]), "\(Optional(event) as Any)"] {
            #expect(!text.contains("7700900123") && !text.contains("Alice"))
        }
    }

    @Test("Bytes are counted, not shown")
    func bytes() {
        #expect("\(ConformanceV1.Choices(choice: .data([1, 2, 3])))" == "Choices(data: 3 bytes)")
    }
}
