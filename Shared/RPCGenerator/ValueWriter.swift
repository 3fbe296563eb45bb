/// `CallsV1.swift`: the namespace, the enums and the structs.
struct ValueWriter {
    let package: Package
    let types: TypeIndex

    func file() throws -> GeneratedFile {
        var out = SourceText(from: package.fileNames)
        out.lines("", "public import WireFormat", "")
        out.line("/// Package `\(package.name)`.")
        try out.block("public enum \(package.namespace)") { out in
            let context = TypeIndex.Context(package: package.name)
            var isFirst = true
            for file in package.files {
                for type in file.enums {
                    if !isFirst { out.line() }
                    isFirst = false
                    EnumWriter(type: type).write(to: &out)
                }
                for message in file.messages {
                    if !isFirst { out.line() }
                    isFirst = false
                    try write(message, context, to: &out)
                }
            }
        }
        return GeneratedFile(name: "\(package.namespace).swift", content: out.text)
    }

    private func write(_ message: MessageSchema, _ outer: TypeIndex.Context, to out: inout SourceText) throws {
        let context = outer.inside(message)
        out.comment(message.comment)
        try out.block("public struct \(swiftTypeName(message.name)): WireMessage") { out in
            out.line("public static var messageName: String { \"\(message.fullName)\" }")
            for type in message.enums {
                out.line()
                EnumWriter(type: type).write(to: &out)
            }
            for nested in message.messages where !nested.isMapEntry {
                out.line()
                try write(nested, context, to: &out)
            }
            for case .choice(let oneof, let members) in message.properties {
                out.line()
                try writeChoice(message, oneof, members, context, to: &out)
            }
            if !message.properties.isEmpty { out.line() }
            var parameters: [String] = []
            var names: [String] = []
            for property in message.properties {
                let (name, type, initial, comment) = try declaration(property, message, context)
                let quoted = SwiftNames.quoted(name)
                out.comment(comment)
                out.line("public var \(quoted): \(type)\(type.hasSuffix("?") ? "" : " = \(initial)")")
                parameters.append("\(quoted): \(type) = \(initial)")
                names.append(quoted)
            }
            out.lines("", "public init() {}")
            guard !names.isEmpty else { return }
            out.line()
            out.list("public init", parameters, " {")
            out.indented { out in
                for name in names { out.line("self.\(name) = \(name)") }
            }
            out.line("}")
        }
    }

    private func writeChoice(
        _ message: MessageSchema, _ oneof: Int, _ members: [FieldSchema], _ context: TypeIndex.Context,
        to out: inout SourceText
    ) throws {
        out.comment(message.oneofs[oneof].comment)
        try out.block("public enum \(message.choiceTypeName(oneof)): Sendable, Equatable") { out in
            for member in members {
                out.comment(member.comment)
                let type = try member.elementType(types, context)
                out.line("case \(SwiftNames.quoted(SwiftNames.member(member.name)))(\(type))")
            }
        }
    }

    private func declaration(
        _ property: Property, _ message: MessageSchema, _ context: TypeIndex.Context
    ) throws -> (name: String, type: String, initial: String, comment: [String]) {
        switch property {
        case .field(let field):
            let (type, initial) = try field.propertyType(types, context)
            return (SwiftNames.member(field.name), type, initial, field.comment)
        case .choice(let oneof, _):
            let name = SwiftNames.member(message.oneofs[oneof].name)
            return (name, message.choiceTypeName(oneof) + "?", "nil", message.oneofs[oneof].comment)
        }
    }
}

extension FieldSchema {
    /// The type of one value.
    func elementType(_ types: TypeIndex, _ context: TypeIndex.Context) throws -> String {
        switch kind {
        case .double: "Double"
        case .float: "Float"
        case .int32: "Int32"
        case .int64: "Int64"
        case .uint32: "UInt32"
        case .uint64: "UInt64"
        case .bool: "Bool"
        case .string: "String"
        case .bytes: "[UInt8]"
        case .enum(let name), .message(let name): try types.swiftName(name, in: context)
        case .group: throw GeneratorError("groups are not supported")
        }
    }

    /// The type of the whole field and its default.
    func propertyType(_ types: TypeIndex, _ context: TypeIndex.Context) throws -> (type: String, initial: String) {
        if let entry = types.isMap(self) {
            let key = try entry.fields[0].elementType(types, context)
            return ("[\(key): \(try entry.fields[1].elementType(types, context))]", "[:]")
        }
        let element = try elementType(types, context)
        if isRepeated { return ("[\(element)]", "[]") }
        if hasPresence { return ("\(element)?", "nil") }
        switch kind {
        case .string: return (element, "\"\"")
        case .bytes: return (element, "[]")
        case .bool: return (element, "false")
        case .enum(let name):
            guard let type = types.enums[name], let zero = type.values.firstIndex(where: { $0.number == 0 }) else {
                throw GeneratorError("\(name) has no value 0")
            }
            return (element, ".\(SwiftNames.cases(of: type)[zero])")
        default: return (element, "0")
        }
    }

    /// True when absent differs from default.
    var hasPresence: Bool {
        if case .message = kind { return !isRepeated }
        return isOptional || oneof != nil
    }
}
