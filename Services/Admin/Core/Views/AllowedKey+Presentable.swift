package import ZeroMQ

extension AllowedKey: Presentable {
    package static var headings: [String] { ["KEY", "NAME", "ROLES"] }

    package var fields: [JSONValue.Field] {
        [
            .init("name", .string(name)), .init("key", .string(key.description)),
            .init("roles", .array(roles.sorted().map(JSONValue.string))),
        ]
    }

    package var row: [String] { [key.description, name, roles.sorted().joined(separator: ",")] }
}
