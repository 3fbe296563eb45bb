/// `WireRegistry.swift`: every service and message by name.
struct RegistryWriter {
    let packages: [Package]

    func file() -> GeneratedFile {
        var out = SourceText(from: packages.flatMap(\.fileNames))
        out.lines("", "public import RPC", "public import WireFormat", "")
        out.line("/// Everything that the .proto files declare: what `bellwire rpc` calls by name.")
        out.block("public enum WireRegistry") { out in
            out.line("/// Every service, by name.")
            out.line("public static let services: [ServiceDescriptor] = [")
            out.indented { out in
                let names = packages.flatMap { package in
                    package.services.map { ($0.fullName, "\(package.namespace).\($0.descriptorName)") }
                }
                for (_, name) in names.sorted(by: { $0.0 < $1.0 }) { out.line("\(name),") }
            }
            out.lines("]", "")
            out.line("/// Every message by its full protobuf name.")
            out.line("public static let messages: [String: any WireMessage.Type] = [")
            out.indented { out in
                for package in packages {
                    for (message, path) in package.allMessages {
                        let type = ([package.namespace] + path).joined(separator: ".")
                        out.line("\"\(message.fullName)\": \(type).self,")
                    }
                }
            }
            out.line("]")
        }
        return GeneratedFile(name: "WireRegistry.swift", content: out.text)
    }
}
