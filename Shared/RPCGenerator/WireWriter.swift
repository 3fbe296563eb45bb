/// `CallsV1+Wire.swift`: each message to and from its protobuf-c struct.
struct WireWriter {
    let package: Package
    let types: TypeIndex
    /// The C module.
    let module: String

    func file() throws -> GeneratedFile {
        var out = SourceText(from: package.fileNames)
        out.line()
        out.lines("package import CProtobufC", "package import \(module)")
        if module != "CWire" { out.line("public import Wire") }
        out.line("public import WireFormat")
        for (message, path) in package.allMessages {
            out.line()
            out.block("extension \(([package.namespace] + path).joined(separator: ".")): CMessageConvertible") { out in
                write(message, to: &out)
            }
        }
        return GeneratedFile(name: "\(package.namespace)+Wire.swift", content: out.text)
    }

    private func write(_ message: MessageSchema, to out: inout SourceText) {
        let initialise = "\(CNames.function(message.fullName))__init"
        let type = CNames.type(message.fullName)
        out.lines(
            "package typealias CMessage = \(type)", "",
            "public init(wire: UnsafeRawBufferPointer) throws(WireError) { self = try Self.decode(wire) }", "",
            "public func wireBytes() -> [UInt8] { encoded() }", "")
        out.list("nonisolated(unsafe) package static let cDescriptor = descriptor", [initialise], "")
        out.line()
        let head = "package init(_ c: UnsafePointer<CMessage>, _ arena: Arena) throws(WireError)"
        if message.properties.isEmpty {
            out.line("\(head) {}")
        } else {
            out.block(head) { out in
                for property in message.properties { writeReading(property, message, to: &out) }
            }
        }
        out.line()
        out.block("package func write(to c: UnsafeMutablePointer<CMessage>, _ arena: Arena)") { out in
            out.line("\(initialise)(c)")
            for property in message.properties { writeWriting(property, message, to: &out) }
        }
    }

    // MARK: From C

    private func writeReading(_ property: Property, _ message: MessageSchema, to out: inout SourceText) {
        switch property {
        case .field(let field):
            let name = SwiftNames.quoted(SwiftNames.member(field.name))
            let source = "c.pointee.\(CNames.swiftMember(field.name))"
            let list = "\(source), c.pointee.n_\(CNames.member(field.name))"
            if let entry = types.isMap(field) {
                out.line("\(name) = try arena.map(\(list)) { entry throws(WireError) in")
                out.indented { out in
                    let (key, value) = (entry.fields[0], entry.fields[1])
                    out.line("(\(reading(key, "entry.pointee.key")), \(reading(value, "entry.pointee.value", true)))")
                }
                out.line("}")
            } else if field.isRepeated {
                if field.isNumber {
                    out.line("\(name) = arena.list(\(list))")
                } else {
                    out.line("\(name) = try arena.list(\(list)) { element throws(WireError) in")
                    out.indented { out in out.line(reading(field, "element", true)) }
                    out.line("}")
                }
            } else if field.isOptional, !field.isMessage {
                let value = reading(field, source)
                out.line("\(name) = c.pointee._\(CNames.member(field.name))_case.rawValue == 0 ? nil : \(value)")
            } else {
                out.line("\(name) = \(reading(field, source))")
            }
        case .choice(let oneof, let members):
            let name = SwiftNames.quoted(SwiftNames.member(message.oneofs[oneof].name))
            out.line("switch c.pointee.\(message.oneofs[oneof].name.lowercased())_case.rawValue {")
            for member in members {
                let value = reading(member, "c.pointee.\(CNames.swiftMember(member.name))", true)
                out.line("case \(member.number):")
                out.indented { out in
                    out.line("\(name) = .\(SwiftNames.quoted(SwiftNames.member(member.name)))(\(value))")
                }
            }
            out.lines("default:")
            out.indented { out in out.line("\(name) = nil") }
            out.line("}")
        }
    }

    /// The expression that converts one C value; a message that is `required` is never nil.
    private func reading(_ field: FieldSchema, _ source: String, _ required: Bool = false) -> String {
        switch field.kind {
        case .string: "try arena.text(\(source))"
        case .bytes: "arena.bytes(\(source))"
        case .bool: "arena.bool(\(source))"
        case .enum: "arena.open(\(source))"
        case .message(let name) where name == "google.protobuf.Timestamp":
            required ? "try arena.time(\(source)) ?? Timestamp()" : "try arena.time(\(source))"
        case .message: required ? "try arena.present(\(source))" : "try arena.message(\(source))"
        default: source
        }
    }

    // MARK: To C

    private func writeWriting(_ property: Property, _ message: MessageSchema, to out: inout SourceText) {
        switch property {
        case .field(let field):
            let name = SwiftNames.quoted(SwiftNames.member(field.name))
            let target = "c.pointee.\(CNames.swiftMember(field.name))"
            if let entry = types.isMap(field) {
                guard case .message(let entryName) = field.kind else { return }
                out.line("c.pointee.n_\(CNames.member(field.name)) = \(name).count")
                out.line("\(target) = arena.map(\(name)) { entry, key, value in")
                out.indented { out in
                    out.line("\(CNames.function(entryName))__init(entry)")
                    out.line("entry.pointee.key = \(writing(entry.fields[0], "key"))")
                    out.line("entry.pointee.value = \(writing(entry.fields[1], "value"))")
                }
                out.line("}")
            } else if field.isRepeated {
                out.line("c.pointee.n_\(CNames.member(field.name)) = \(name).count")
                out.line("\(target) = arena.list(\(name)) { \(writing(field, "$0")) }")
            } else if field.isOptional {
                out.block("if let \(name)") { out in
                    out.line("c.pointee._\(CNames.member(field.name))_case = arena.number(\(field.number))")
                    out.line("\(target) = \(writing(field, name))")
                }
            } else {
                out.line("\(target) = \(writing(field, name))")
            }
        case .choice(let oneof, let members):
            out.line("switch \(SwiftNames.quoted(SwiftNames.member(message.oneofs[oneof].name))) {")
            for member in members {
                out.line("case .\(SwiftNames.quoted(SwiftNames.member(member.name)))(let value):")
                out.indented { out in
                    let oneofName = message.oneofs[oneof].name.lowercased()
                    out.line("c.pointee.\(oneofName)_case = arena.number(\(member.number))")
                    out.line("c.pointee.\(CNames.swiftMember(member.name)) = \(writing(member, "value"))")
                }
            }
            out.lines("case nil:")
            out.indented { out in out.line("break") }
            out.line("}")
        }
    }

    private func writing(_ field: FieldSchema, _ source: String) -> String {
        switch field.kind {
        case .string: "arena.text(\(source))"
        case .bytes: "arena.bytes(\(source))"
        case .bool: "arena.bool(\(source))"
        case .enum: "arena.number(\(source).rawValue)"
        case .message(let name) where name == "google.protobuf.Timestamp": "arena.time(\(source))"
        case .message: "arena.message(\(source))"
        default: source
        }
    }
}

extension FieldSchema {
    fileprivate var isNumber: Bool {
        switch kind {
        case .double, .float, .int32, .int64, .uint32, .uint64: true
        default: false
        }
    }

    fileprivate var isMessage: Bool {
        if case .message = kind { true } else { false }
    }
}
