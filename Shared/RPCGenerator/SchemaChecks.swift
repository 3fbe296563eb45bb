/// Refuses what the generated code must not meet.
struct SchemaChecks {
    let types: TypeIndex

    func check(_ file: FileSchema) throws {
        guard file.isProto3 else { throw GeneratorError("\(file.name): only proto3 is supported") }
        for message in file.messages { try check(message) }
        for type in file.enums { try checkName(type.name, type.fullName) }
        for method in file.services.flatMap(\.methods) {
            do throws(GeneratorError) {
                try check(method)
            } catch {
                throw GeneratorError("\(file.name): \(method.name): \(error.message)")
            }
        }
    }

    private func check(_ method: ServiceSchema.Method) throws(GeneratorError) {
        if method.clientStreaming { throw GeneratorError("client streaming is not supported") }
        if method.routing != .pinned && !method.pinnedBy.isEmpty {
            throw GeneratorError("pinned_by is for methods with ROUTING_PINNED")
        }
        // A role that nobody can have, by a slip of the pen, would shut the method for all.
        for role in method.roles where !isWord(role) {
            throw GeneratorError("the role `\(role)` is not of a-z, 0-9 and -")
        }
        if Set(method.roles).count != method.roles.count { throw GeneratorError("a role is named twice") }
    }

    private func isWord(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
            }
    }

    private func check(_ message: MessageSchema) throws {
        try checkName(message.name, message.fullName)
        var path: [String] = []
        try refuseRecursion(message.fullName, &path)
        for field in message.fields {
            let name = "\(message.fullName).\(field.name)"
            if field.kind == .group { throw GeneratorError("\(name): groups are not supported") }
            if CNames.member(field.name) == "base" {
                throw GeneratorError("\(name): protobuf-c's structs have a member of that name already")
            }
        }
        for nested in message.messages where !nested.isMapEntry { try check(nested) }
        for nested in message.enums { try checkName(nested.name, nested.fullName) }
    }

    private func checkName(_ name: String, _ fullName: String) throws {
        if SwiftNames.takenTypes.contains(swiftTypeName(name)) {
            throw GeneratorError("\(fullName): the generated code needs that name")
        }
    }

    /// protobuf-c unpacks without a limit of depth: a message that can hold itself would let a short input overflow the
    /// stack.
    private func refuseRecursion(_ fullName: String, _ path: inout [String]) throws {
        if path.contains(fullName) {
            throw GeneratorError("recursive message: \((path + [fullName]).joined(separator: " -> "))")
        }
        path.append(fullName)
        for case .message(let name) in types.messages[fullName]?.fields.map(\.kind) ?? [] {
            try refuseRecursion(name, &path)
        }
        path.removeLast()
    }
}
