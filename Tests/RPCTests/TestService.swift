import RPC

/// A service whose methods do what a test wants.
struct TestService: RPCHandler {
    typealias Unary = @Sendable (Note, CallContext) async throws -> Note
    typealias Stream = @Sendable (Note, ResponseWriter<Note>, CallContext) async throws -> Void

    static let echo = method("Echo", idempotent: true)
    static let work = method("Work")
    static let pinned = method("Pinned", routing: .pinned)
    static let restricted = method("Restricted", roles: ["calls", "records"])
    static let count = method("Count", kind: .serverStreaming)
    static let absent = method("Absent")
    static let descriptor = ServiceDescriptor(
        name: "test.v1.Test", package: "test", methods: [echo, work, pinned, restricted, count])

    var work: Unary = { note, _ in note }
    var pinned: Unary = { note, _ in note }
    var count: Stream = { note, responses, _ in
        for number in 0..<(Int(note.text) ?? 0) { try await responses.write(Note(String(number))) }
    }

    var serviceDescriptor: ServiceDescriptor { Self.descriptor }

    func handle(_ call: ServerCall) async throws {
        switch call.method {
        case 0: try await call.unary { (note: Note, _) in note }
        case 1: try await call.unary(work)
        case 2: try await call.unary(pinned)
        case 3: try await call.unary { (_: Note, context) in Note(context.caller) }
        case 4: try await call.stream(count)
        default: throw call.unknownMethod
        }
    }

    private static func method(
        _ name: String, kind: MethodDescriptor.Kind = .unary, routing: MethodDescriptor.Routing = .any,
        idempotent: Bool = false, roles: [String] = []
    ) -> MethodDescriptor {
        MethodDescriptor(
            service: "test.v1.Test", package: "test", name: name, kind: kind, routing: routing,
            pinnedBy: routing == .pinned ? "id" : nil, idempotent: idempotent,
            defaultDeadline: kind == .unary ? .seconds(600) : nil, requestType: Note.messageName,
            responseType: Note.messageName, roles: roles)
    }
}

extension RPCChannel {
    func call(
        _ method: MethodDescriptor, _ text: String = "", key: String? = nil, instance: String? = nil,
        deadline: Duration? = nil
    ) async throws -> String {
        let note: Note = try await unary(
            method, Note(text), key: key, CallOptions(instance: instance, deadline: deadline))
        return note.text
    }

    func open(_ text: String = "", deadline: Duration? = nil) -> ResponseStream<Note> {
        stream(TestService.count, Note(text), key: nil, CallOptions(deadline: deadline))
    }
}
