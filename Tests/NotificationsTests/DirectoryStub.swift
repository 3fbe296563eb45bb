import RPC
import Wire
import WireFormat

/// A directory in which every user has one SIP contact, made at noon on the first of January 2026.
struct DirectoryStub: RPCHandler {
    static let contact = "00000000-0000-7000-8000-00000000c0de"

    var serviceDescriptor: ServiceDescriptor { DirectoryV1.directoryDescriptor }

    func handle(_ call: ServerCall) async throws {
        guard serviceDescriptor.methods[call.method].name == "ListSIPContacts" else { throw call.unknownMethod }
        try await call.unary { (request: DirectoryV1.ListSIPContactsRequest, _) in
            var contact = DirectoryV1.SIPContact()
            contact.id = DirectoryStub.contact
            contact.userID = request.user
            contact.uri = "sip:alice@192.0.2.7:5060"
            contact.created = Timestamp(seconds: 1_767_268_800, nanos: 0)
            var response = DirectoryV1.ListSIPContactsResponse()
            response.contacts = [contact]
            return response
        }
    }
}
