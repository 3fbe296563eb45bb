/// A protobuf enum as an open Swift enum.
struct EnumWriter {
    let type: EnumSchema

    func write(to out: inout SourceText) {
        let name = swiftTypeName(type.name)
        let all = zip(type.values, SwiftNames.cases(of: type)).map { (value: $0, name: $1) }
        // Of values with one number the first is the case, the others are constants.
        let cases = all.enumerated().filter { index, entry in
            !all[..<index].contains { $0.value.number == entry.value.number }
        }.map(\.element)

        out.comment(type.comment)
        out.block("public enum \(name): WireEnum") { out in
            for entry in cases {
                out.comment(entry.value.comment)
                out.line("case \(SwiftNames.quoted(entry.name))")
            }
            out.line("/// A number that this version of the schema does not know.")
            out.line("case unrecognized(Int32)")
            for entry in all where !cases.contains(where: { $0.name == entry.name }) {
                guard let first = cases.first(where: { $0.value.number == entry.value.number }) else { continue }
                out.line()
                out.comment(entry.value.comment)
                out.line("public static let \(SwiftNames.quoted(entry.name)) = \(name).\(first.name)")
            }
            out.line()
            let values = cases.map { ".\($0.name)" }
            out.list("public static let allCases: [\(name)] = ", values, "", open: "[", close: "]")
            out.line()
            out.block("public init(rawValue: Int32)") { out in
                out.line("switch rawValue {")
                for entry in cases { out.line("case \(entry.value.number): self = .\(entry.name)") }
                out.lines("default: self = .unrecognized(rawValue)", "}")
            }
            write("rawValue", "Int32", cases.map { ($0.name, "\($0.value.number)") }, "let number", "number", to: &out)
            write("name", "String?", cases.map { ($0.name, "\"\($0.name)\"") }, "", "nil", to: &out)
            write("protoName", "String?", cases.map { ($0.name, "\"\($0.value.name)\"") }, "", "nil", to: &out)
        }
    }

    private func write(
        _ property: String, _ propertyType: String, _ cases: [(String, String)], _ unrecognized: String,
        _ otherwise: String, to out: inout SourceText
    ) {
        out.line()
        out.block("public var \(property): \(propertyType)") { out in
            out.line("switch self {")
            for (name, value) in cases { out.line("case .\(name): \(value)") }
            out.line("case .unrecognized\(unrecognized.isEmpty ? "" : "(\(unrecognized))"): \(otherwise)")
            out.line("}")
        }
    }
}
