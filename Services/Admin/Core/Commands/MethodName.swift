package import RPC
import Wire

/// How a method is named on the command line: `calls/HangUpCall`, `Calls/HangUpCall`, `calls.Calls/HangUpCall` or
/// `bellwire.calls.v1.Calls/HangUpCall`.
package enum MethodName {
    package static func short(_ method: MethodDescriptor) -> String { "\(method.package)/\(method.name)" }

    package static func find(_ name: String, in services: [ServiceDescriptor] = WireRegistry.services)
        -> MethodDescriptor?
    {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let (service, method) = (parts[0], parts[1])
        return services.lazy
            .filter { descriptor in
                let last = descriptor.name.split(separator: ".").last ?? ""
                return descriptor.name == service || descriptor.package == service || last == service
                    || "\(descriptor.package).\(last)" == service
            }
            .flatMap(\.methods)
            .first { $0.name == method }
    }

    /// `call_id` as proto3 JSON has it.
    package static func jsonName(_ field: String) -> String {
        var name = ""
        var raises = false
        for character in field {
            if character == "_" {
                raises = true
            } else {
                name += raises ? character.uppercased() : String(character)
                raises = false
            }
        }
        return name
    }
}
