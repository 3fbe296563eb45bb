/// `CallsV1+JSON.swift`: which fields there are, for JSON and log texts, and how they are read from JSON.
struct JSONMappingWriter {
    let package: Package
    let types: TypeIndex

    func file() throws -> GeneratedFile {
        var out = SourceText(from: package.fileNames)
        out.lines("", "public import WireFormat")
        for (message, path) in package.allMessages {
            out.line()
            out.block("extension \(([package.namespace] + path).joined(separator: "."))") { out in
                writeVisit(message, to: &out)
                out.line()
                if writeSamples(message, to: &out) { out.line() }
                writeRead(message, to: &out)
            }
        }
        return GeneratedFile(name: "\(package.namespace)+JSON.swift", content: out.text)
    }

    private func writeVisit(_ message: MessageSchema, to out: inout SourceText) {
        let head = "public func visitFields(_ visitor: inout some FieldVisitor) throws"
        guard !message.properties.isEmpty else {
            out.line("\(head) {}")
            return
        }
        out.block(head) { out in
            for property in message.properties {
                switch property {
                case .field(let field):
                    out.line(visit(field, "\(SwiftNames.quoted(SwiftNames.member(field.name)))"))
                case .choice(let oneof, let members):
                    out.line("switch \(SwiftNames.quoted(SwiftNames.member(message.oneofs[oneof].name))) {")
                    for member in members {
                        let name = SwiftNames.quoted(SwiftNames.member(member.name))
                        out.line("case .\(name)(let value): \(visit(member, "Optional(value)"))")
                    }
                    out.lines("case nil: break", "}")
                }
            }
        }
    }

    /// - Returns: false when the message has no oneof.
    private func writeSamples(_ message: MessageSchema, to out: inout SourceText) -> Bool {
        var samples: [String] = []
        for case .choice(let oneof, let members) in message.properties {
            let choice = SwiftNames.quoted(SwiftNames.member(message.oneofs[oneof].name))
            samples += members.map {
                "Self(\(choice): .\(SwiftNames.quoted(SwiftNames.member($0.name)))(.wireDefault)),"
            }
        }
        guard !samples.isEmpty else { return false }
        out.block("public static var oneofSamples: [Self]") { out in
            out.line("[")
            out.indented { out in for sample in samples { out.line(sample) } }
            out.line("]")
        }
        return true
    }

    private func visit(_ field: FieldSchema, _ value: String) -> String {
        "try visitor.visit(\"\(field.jsonName)\", \(value)\(field.isSensitive ? ", sensitive: true" : ""))"
    }

    private func writeRead(_ message: MessageSchema, to out: inout SourceText) {
        out.block("public init(from decoder: any Decoder) throws") { out in
            guard !message.properties.isEmpty else {
                out.lines("_ = try JSONReader(decoder)", "self.init()")
                return
            }
            out.lines("let json = try JSONReader(decoder)", "self.init()")
            for property in message.properties {
                switch property {
                case .field(let field):
                    let name = SwiftNames.quoted(SwiftNames.member(field.name))
                    let read =
                        types.isMap(field) != nil
                        ? "map" : field.isRepeated ? "list" : field.hasPresence ? "optional" : "value"
                    out.line("\(name) = try json.\(read)(\(jsonNames(field)))")
                case .choice(let oneof, let members):
                    let choice = SwiftNames.quoted(SwiftNames.member(message.oneofs[oneof].name))
                    let type = message.choiceTypeName(oneof)
                    for member in members {
                        let wrap = "\(type).\(SwiftNames.quoted(SwiftNames.member(member.name)))"
                        out.line("try json.choose(&\(choice), \(wrap), \(jsonNames(member)))")
                    }
                }
            }
        }
    }

    /// The JSON name, and the original one where it differs.
    private func jsonNames(_ field: FieldSchema) -> String {
        field.jsonName == field.name ? "\"\(field.name)\"" : "\"\(field.jsonName)\", \"\(field.name)\""
    }
}
