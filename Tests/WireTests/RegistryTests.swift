import RPC
import Testing
import Wire
import WireFormat

@Suite("Registry and descriptors")
struct RegistryTests {
    @Test("Every method's request and response are registered under their names")
    func complete() {
        #expect(WireRegistry.services.count == 6)
        for service in WireRegistry.services {
            #expect(!service.methods.isEmpty)
            for method in service.methods {
                #expect(WireRegistry.messages[method.requestType]?.messageName == method.requestType)
                #expect(WireRegistry.messages[method.responseType]?.messageName == method.responseType)
                #expect(method.service == service.name && method.package == service.package)
            }
        }
        #expect(WireRegistry.messages["bellwire.voicemail.v1.TakeCallEvent.Answer"] != nil)
    }

    @Test("A message found by name goes from JSON to bytes and back")
    func byName() throws {
        let type = try #require(WireRegistry.messages["bellwire.directory.v1.GetUserRequest"])
        let bytes = try type.init(json: #"{"user": "alice", "account": "demo"}"#).wireBytes()
        #expect(bytes == DirectoryV1.GetUserRequest(user: "alice", account: "demo").wireBytes())
        #expect(try type.init(wireBytes: bytes).json() == #"{"account":"demo","user":"alice"}"#)
    }

    @Test("A method's options reach its descriptor")
    func options() {
        let hangUp = CallsV1.callsDescriptor.methods[2]
        #expect(hangUp.name == "HangUpCall" && hangUp.routing == .pinned && hangUp.pinnedBy == "call_id")
        #expect(hangUp.idempotent && hangUp.kind == .unary && hangUp.defaultDeadline == .seconds(5))
        let take = VoicemailV1.voicemailsDescriptor.methods[0]
        #expect(take.kind == .serverStreaming && take.defaultDeadline == nil && !take.idempotent)
        let echo = ConformanceV1.conformanceDescriptor.methods[0]
        #expect(echo.roles == ["operator", "edge"] && echo.idempotent && echo.package == "conformance")
        let watch = ConformanceV1.conformanceDescriptor.methods[1]
        #expect(watch.defaultDeadline == .milliseconds(1500) && watch.pinnedBy == "account_id" && !watch.idempotent)
    }

    @Test("An enum's cases have short names, aliases are constants")
    func enums() {
        #expect(CallsV1.CallState(name: "unanswered") == .unanswered)
        #expect(CallsV1.CallState(name: "CALL_STATE_UNANSWERED") == .unanswered)
        #expect(CallsV1.CallState(name: "unrecognized") == nil)
        #expect(CallsV1.CallState(rawValue: 99) == .unrecognized(99))
        #expect(CallsV1.CallState.allCases.count == 7)
        #expect(ConformanceV1.Alias.uno == .one && ConformanceV1.Alias.default.rawValue == 3)
        #expect("\(CallsV1.CallState.ringing) \(CallsV1.CallState(rawValue: 99))" == "ringing 99")
    }
}
