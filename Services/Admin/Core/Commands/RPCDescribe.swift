import RPC
import Runtime
import Wire
import WireFormat

extension RPCCommands {
    static let describe = Command(
        CommandSpec(
            "rpc describe", "Show the fields of a method's request and response",
            operands: [OperandSpec("SERVICE/METHOD", "As `bellwire rpc list` has it")],
            discussion: """
                At most one of the fields that are marked `oneof` is set. A word of an enum is taken as shown, and by its name in
                the .proto file, as answers have it: `allDevices` is RING_POLICY_ALL_DEVICES.
                """,
            example: "directory/CreateUser")
    ) { session in
        let name = session.operand("SERVICE/METHOD")
        guard let method = MethodName.find(name) else {
            throw session.invocation.wrong("there is no method \(name); see `bellwire rpc list`")
        }
        if session.output.json {
            try session.output.line(
                .object([
                    .init("method", .string(method.fullName)), .init("kind", .string(method.kind.rawValue)),
                    .init("request", json(method.requestType)), .init("response", json(method.responseType)),
                ]))
        } else {
            try session.output.write("\(MethodName.short(method)) (\(method.kind.rawValue))\n")
            try session.output.write("\nrequest \(method.requestType)\n" + fields(method.requestType, depth: 1))
            try session.output.write("\nresponse \(method.responseType)\n" + fields(method.responseType, depth: 1))
        }
        return ExitStatus.success
    }

    private static func json(_ type: String) -> JSONValue {
        let fields = WireRegistry.messages[type].map { MessageField.all(of: $0) } ?? []
        return .object([
            .init("type", .string(type)),
            .init(
                "fields",
                .array(
                    fields.map { field in
                        guard let inner = field.message, case .object(let own) = field.json else { return field.json }
                        return .object(own + [.init("message", json(inner.messageName))])
                    })),
        ])
    }

    /// Messages cannot hold themselves: the generator refuses that.
    private static func fields(_ type: String, depth: Int) -> String {
        let fields = WireRegistry.messages[type].map { MessageField.all(of: $0) } ?? []
        let indent = String(repeating: "  ", count: depth)
        let lines = fields.map { field in
            let label = field.label == .single ? "" : field.label.rawValue + " "
            let inner = field.message.map { self.fields($0.messageName, depth: depth + 1) } ?? ""
            return "\(indent)\(field.name)  \(label)\(field.typeName)\n\(inner)"
        }
        return lines.joined()
    }
}
