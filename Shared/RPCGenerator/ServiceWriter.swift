/// `CallsV1+Calls.swift`: a service's descriptor, client and server protocol.
struct ServiceWriter {
    let package: Package
    let types: TypeIndex

    func file(_ service: ServiceSchema) throws -> GeneratedFile {
        var out = SourceText(from: package.fileNames)
        out.lines("", "public import RPC", "")
        try out.block("extension \(package.namespace)") { out in
            writeDescriptor(service, to: &out)
            out.line()
            try writeClient(service, to: &out)
            out.line()
            try writeProtocol(service, to: &out)
        }
        out.line()
        writeDispatch(service, to: &out)
        return GeneratedFile(name: "\(package.namespace)+\(service.name).swift", content: out.text)
    }

    private func writeDescriptor(_ service: ServiceSchema, to out: inout SourceText) {
        out.line("public static let \(service.descriptorName) = ServiceDescriptor(")
        out.indented { out in
            out.line("name: \"\(service.fullName)\", package: \"\(SwiftNames.serviceName(package: package.name))\",")
            out.line("methods: [")
            out.indented { out in
                for method in service.methods {
                    out.list("MethodDescriptor", arguments(method, service), ",")
                }
            }
            out.line("])")
        }
    }

    private func arguments(_ method: ServiceSchema.Method, _ service: ServiceSchema) -> [String] {
        var arguments = [
            "service: \"\(service.fullName)\"", "package: \"\(SwiftNames.serviceName(package: package.name))\"",
            "name: \"\(method.name)\"",
        ]
        if method.serverStreaming { arguments.append("kind: .serverStreaming") }
        if method.routing != .any { arguments.append("routing: .\(method.routing)") }
        if !method.pinnedBy.isEmpty { arguments.append("pinnedBy: \"\(method.pinnedBy)\"") }
        if method.isIdempotent { arguments.append("idempotent: true") }
        if method.deadlineMilliseconds > 0 {
            arguments.append("defaultDeadline: .milliseconds(\(method.deadlineMilliseconds))")
        } else if method.serverStreaming {
            arguments.append("defaultDeadline: nil")
        }
        arguments.append("requestType: \"\(method.input)\"")
        arguments.append("responseType: \"\(method.output)\"")
        if !method.roles.isEmpty {
            arguments.append("roles: [\(method.roles.map { "\"\($0)\"" }.joined(separator: ", "))]")
        }
        return arguments
    }

    private func writeClient(_ service: ServiceSchema, to out: inout SourceText) throws {
        let context = TypeIndex.Context(package: package.name)
        out.line("/// Calls `\(service.fullName)`.")
        try out.block("public struct \(service.name)Client: Sendable") { out in
            out.lines("private let channel: any RPCChannel", "")
            out.line("public init(_ channel: any RPCChannel) { self.channel = channel }")
            for (index, method) in service.methods.enumerated() {
                let (request, response) = try (
                    types.swiftName(method.input, in: context), types.swiftName(method.output, in: context)
                )
                let key = try pinnedField(method).map { "request.\($0)" } ?? "nil"
                let descriptor = "\(package.namespace).\(service.descriptorName).methods[\(index)]"
                out.line()
                out.comment(method.comment)
                out.list(
                    "public func \(method.swiftName)",
                    ["_ request: \(request)", "options: CallOptions = CallOptions()"],
                    method.serverStreaming
                        ? " -> ResponseStream<\(response)> {" : " async throws(RPCError) -> \(response) {")
                out.indented { out in
                    let call = method.serverStreaming ? "channel.stream" : "try await channel.unary"
                    out.list(call, [descriptor, "request", "key: \(key)", "options"], "")
                }
                out.line("}")
            }
        }
    }

    /// The Swift name of the request's field that `pinned_by` names; nil when the method is not pinned.
    private func pinnedField(_ method: ServiceSchema.Method) throws -> String? {
        guard method.routing == .pinned else { return nil }
        let field = types.messages[method.input]?.fields.first { $0.name == method.pinnedBy }
        guard let field, field.kind == .string, !field.isRepeated, !field.hasPresence else {
            throw GeneratorError("\(method.name): pinned_by must name a text field of \(method.input)")
        }
        return SwiftNames.member(field.name)
    }

    private func writeProtocol(_ service: ServiceSchema, to out: inout SourceText) throws {
        let context = TypeIndex.Context(package: package.name)
        out.comment(service.comment.isEmpty ? ["Serves `\(service.fullName)`."] : service.comment)
        try out.block("public protocol \(service.name)Service: RPCHandler") { out in
            for (index, method) in service.methods.enumerated() {
                let (request, response) = try (
                    types.swiftName(method.input, in: context), types.swiftName(method.output, in: context)
                )
                if index > 0 { out.line() }
                out.comment(method.comment)
                var parameters = ["_ request: \(request)", "context: CallContext"]
                if method.serverStreaming { parameters.insert("responses: ResponseWriter<\(response)>", at: 1) }
                let result = method.serverStreaming ? "" : " -> \(response)"
                out.list("func \(method.swiftName)", parameters, " async throws\(result)")
            }
        }
    }

    private func writeDispatch(_ service: ServiceSchema, to out: inout SourceText) {
        out.block("extension \(package.namespace).\(service.name)Service") { out in
            let descriptor = "\(package.namespace).\(service.descriptorName)"
            out.line("public var serviceDescriptor: ServiceDescriptor { \(descriptor) }")
            out.line()
            out.block("public func handle(_ call: ServerCall) async throws") { out in
                out.line("switch call.method {")
                for (index, method) in service.methods.enumerated() {
                    let run =
                        method.serverStreaming
                        ? "call.stream(\(method.swiftName)(_:responses:context:))"
                        : "call.unary(\(method.swiftName)(_:context:))"
                    out.line("case \(index): try await \(run)")
                }
                out.lines("default: throw call.unknownMethod", "}")
            }
        }
    }
}

extension ServiceSchema {
    /// The static constant in the namespace.
    var descriptorName: String { SwiftNames.lowerCamel(name) + "Descriptor" }
}

extension ServiceSchema.Method {
    fileprivate var swiftName: String { SwiftNames.quoted(SwiftNames.lowerCamel(name)) }
}
