import Foundation
import RPC
import Runtime
import Wire
import WireFormat

enum RPCCommands {
    static let all: [Command] = [list, describe, call]

    private static let list = Command(
        CommandSpec("rpc list", "List every method of every service")
    ) { session in
        var table = TextTable(["METHOD", "REQUEST", "RESPONSE", "KIND", "ROUTING"])
        for method in WireRegistry.services.flatMap(\.methods) {
            if session.output.json {
                try session.output.line(
                    .object([
                        .init("method", .string(method.fullName)), .init("request", .string(method.requestType)),
                        .init("response", .string(method.responseType)), .init("kind", .string(method.kind.rawValue)),
                        .init("routing", .string(method.routing.rawValue)),
                        .init("idempotent", .bool(method.idempotent)),
                    ]))
            } else {
                table.append([
                    MethodName.short(method), method.requestType, method.responseType, method.kind.rawValue,
                    method.routing.rawValue,
                ])
            }
        }
        if !session.output.json { try session.output.table(table) }
        return ExitStatus.success
    }

    private static let call = Command(
        CommandSpec(
            "rpc", "Call any method",
            operands: [
                OperandSpec("SERVICE/METHOD", "As `bellwire rpc list` has it, such as directory/ListAccounts"),
                OperandSpec("JSON", "The request in proto3 JSON; - reads it from standard input", required: false),
            ],
            options: [
                .value("instance", "NAME", "Ask this instance, such as calls-1"),
                .value("deadline", "SECONDS", "Wait so long at most", .number(1...86_400)),
            ],
            discussion: """
                Prints the response in proto3 JSON, one line a message. `bellwire rpc describe METHOD` shows the fields of the
                request; others are refused.
                """, example: #"directory/GetUser '{"user":"alice","account":"demo"}'"#)
    ) { session in
        let name = session.operand("SERVICE/METHOD")
        guard let method = MethodName.find(name) else {
            throw session.invocation.wrong("there is no method \(name); see `bellwire rpc list`")
        }
        let (request, key) = try request(of: method, session)
        let seconds = session.invocation.number("deadline")
        let instance = session.text("instance")
        if method.routing == .instance && instance.isEmpty {
            throw session.invocation.wrong(
                "\(method.name) is answered by each instance for itself: name one with --instance")
        }
        return try await session.connected { connection in
            var options = CallOptions(key: key, deadline: seconds.map { .seconds(Int64($0)) })
            if !instance.isEmpty {
                options.instance = instance
                options.service = connection.instances.first { $0.instance == instance }?.service
                if options.service == nil { throw Unreachable("there is no instance \(instance)") }
            }
            switch method.kind {
            case .unary:
                let response = try await connection.client.unary(method, request: request, options: options)
                try write(response, as: method.responseType, on: session.output)
            case .serverStreaming:
                for try await response in connection.client.stream(method, request: request, options: options) {
                    try write(response, as: method.responseType, on: session.output)
                }
            }
            return ExitStatus.success
        }
    }

    /// The request's bytes, and the id that pins it.
    private static func request(of method: MethodDescriptor, _ session: CommandSession) throws -> ([UInt8], String?) {
        var json = session.operand("JSON")
        if json == "-" {
            guard let text = String(validating: try InputFile.read("-", atMost: 64 << 20), as: UTF8.self) else {
                throw session.invocation.wrong("the request is not UTF-8")
            }
            json = text
        }
        if json.allSatisfy(\.isWhitespace) { json = "{}" }
        guard let type = WireRegistry.messages[method.requestType] else {
            throw CommandFailure("this program does not know \(method.requestType)")
        }
        do {
            try RequestCheck.check(json, as: type)
            let message = try type.init(json: json)
            var key: String?
            if let field = method.pinnedBy {
                let object = try JSONSerialization.jsonObject(with: Data(try message.json().utf8)) as? [String: Any]
                key = object?[MethodName.jsonName(field)] as? String
            }
            return (message.wireBytes(), key)
        } catch let error as CommandFailure {
            throw session.invocation.wrong(error.description)
        } catch WireError.json(let path, let reason) {
            throw session.invocation.wrong("\(path.isEmpty ? "the request" : "the field \(path)") \(reason)")
        } catch {
            throw session.invocation.wrong("the request is no \(method.requestType): \(error)")
        }
    }

    private static func write(_ payload: RPCPayload, as type: String, on output: Output) throws {
        guard let message = try WireRegistry.messages[type]?.init(wireBytes: payload.bytes) else {
            throw CommandFailure("this program does not know \(type)")
        }
        try output.line(.raw(try message.json()))
    }
}
