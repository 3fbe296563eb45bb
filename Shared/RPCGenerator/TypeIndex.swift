/// Every message and enum that protoc has read, by full name.
struct TypeIndex {
    private(set) var messages: [String: MessageSchema] = [:]
    private(set) var enums: [String: EnumSchema] = [:]
    private var packages: [String: String] = [:]

    init(_ files: [FileSchema]) {
        for file in files {
            for message in file.messages { add(message, file.package) }
            for type in file.enums { add(type, file.package) }
        }
    }

    private mutating func add(_ message: MessageSchema, _ package: String) {
        messages[message.fullName] = message
        packages[message.fullName] = package
        for nested in message.messages { add(nested, package) }
        for nested in message.enums { add(nested, package) }
    }

    private mutating func add(_ type: EnumSchema, _ package: String) {
        enums[type.fullName] = type
        packages[type.fullName] = package
    }

    /// `CallsV1.Call`; in `context`'s namespace only `Call`, unless a type nested in the context has that name.
    func swiftName(_ fullName: String, in context: Context) throws -> String {
        if fullName == "google.protobuf.Timestamp" { return "Timestamp" }
        guard let package = packages[fullName], !fullName.hasPrefix("google.protobuf.") else {
            throw GeneratorError("\(fullName) is not supported; of protobuf's own messages only Timestamp is")
        }
        let path = fullName.dropFirst(package.count + 1).split(separator: ".").map { swiftTypeName(String($0)) }
        let isShadowed = context.shadows.contains(path[0])
        let namespace = package == context.package && !isShadowed ? [] : [SwiftNames.namespace(package: package)]
        return (namespace + path).joined(separator: ".")
    }

    func isMap(_ field: FieldSchema) -> MessageSchema? {
        guard field.isRepeated, case .message(let name) = field.kind, let entry = messages[name], entry.isMapEntry
        else { return nil }
        return entry
    }

    /// Where a name is written: the package, and the type names nested around that place.
    struct Context {
        var package: String
        var shadows: Set<String> = []

        func inside(_ message: MessageSchema) -> Context {
            var inner = self
            inner.shadows.formUnion(message.messages.filter { !$0.isMapEntry }.map { swiftTypeName($0.name) })
            inner.shadows.formUnion(message.enums.map { swiftTypeName($0.name) })
            inner.shadows.formUnion(message.oneofs.indices.map { message.choiceTypeName($0) })
            return inner
        }
    }
}

/// `Names_Inner` is `NamesInner`.
func swiftTypeName(_ name: String) -> String { SwiftNames.upperCamel(name) }

extension MessageSchema {
    /// The Swift enum of a oneof: its name, or with `Choice` after it when a nested type has that name.
    func choiceTypeName(_ oneof: Int) -> String {
        let name = SwiftNames.upperCamel(oneofs[oneof].name)
        let isTaken = (messages.map(\.name) + enums.map(\.name)).contains { swiftTypeName($0) == name }
        return isTaken || SwiftNames.takenTypes.contains(name) ? name + "Choice" : name
    }

    /// The fields as Swift properties, in the file's order: plain fields, and each oneof at its first member.
    var properties: [Property] {
        var seen: Set<Int> = []
        return fields.compactMap { field in
            guard let oneof = field.oneof else { return .field(field) }
            guard seen.insert(oneof).inserted else { return nil }
            return .choice(oneof, fields.filter { $0.oneof == oneof })
        }
    }
}

/// A stored property of a generated struct.
enum Property {
    case field(FieldSchema)
    /// A oneof by index, with its members.
    case choice(Int, [FieldSchema])
}
