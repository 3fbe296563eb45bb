/// Makes the Swift files of each package: values, their wire and JSON forms, stubs, and the registry of all.
struct Generator {
    private let request: PluginRequest
    private let types: TypeIndex

    init(_ request: PluginRequest) {
        self.request = request
        types = TypeIndex(request.files)
    }

    func files() throws -> [GeneratedFile] {
        let wanted = request.files.filter { request.filesToGenerate.contains($0.name) }
        for file in wanted { try SchemaChecks(types: types).check(file) }
        let packages = Set(wanted.map(\.package)).sorted().map { name in
            Package(name: name, files: wanted.filter { $0.package == name }.sorted { $0.name < $1.name })
        }
        let module = request.parameters["module"] ?? "CWire"
        var generated = try packages.flatMap { package in
            [
                try ValueWriter(package: package, types: types).file(),
                try WireWriter(package: package, types: types, module: module).file(),
                try JSONMappingWriter(package: package, types: types).file(),
            ] + (try package.services.map { try ServiceWriter(package: package, types: types).file($0) })
        }
        if request.parameters["registry"] == "true" {
            generated.append(RegistryWriter(packages: packages).file())
        }
        return generated
    }
}

/// The files of one protobuf package; they share a Swift namespace.
struct Package {
    let name: String
    let files: [FileSchema]

    var namespace: String { SwiftNames.namespace(package: name) }
    var fileNames: [String] { files.map(\.name) }
    var messages: [MessageSchema] { files.flatMap(\.messages) }
    var services: [ServiceSchema] { files.flatMap(\.services) }

    /// All messages, nested ones after their parent, with their Swift path inside the namespace.
    var allMessages: [(message: MessageSchema, path: [String])] {
        func flat(_ message: MessageSchema, _ outer: [String]) -> [(MessageSchema, [String])] {
            let path = outer + [swiftTypeName(message.name)]
            return [(message, path)] + message.messages.filter { !$0.isMapEntry }.flatMap { flat($0, path) }
        }
        return messages.flatMap { flat($0, []) }
    }
}
