import AdminCore
import RPC
import Testing
import Wire
import WireFormat

@Suite struct MethodNameTests {
    @Test func `finds every method by its full and its short name`() {
        for method in WireRegistry.services.flatMap(\.methods) {
            #expect(MethodName.find(method.fullName) == method)
            #expect(MethodName.find(MethodName.short(method)) == method)
        }
        #expect(MethodName.find("Calls/GetCall") != nil)
        #expect(MethodName.find("calls.Calls/GetCall") != nil)
    }

    @Test(arguments: [
        "", "calls", "calls/", "/GetCall", "calls/getcall", "calls/GetCall/x", "alls/GetCall", "nobody/GetCall",
    ])
    func `finds nothing else`(name: String) {
        #expect(MethodName.find(name) == nil)
    }

    @Test func `knows the messages of every method, so that each can be called`() {
        for method in WireRegistry.services.flatMap(\.methods) {
            #expect(WireRegistry.messages[method.requestType] != nil, "\(method.fullName)")
            #expect(WireRegistry.messages[method.responseType] != nil, "\(method.fullName)")
        }
        #expect(MethodName.jsonName("call_id") == "callId")
    }
}
