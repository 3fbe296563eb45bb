import Foundation
package import WireFormat

/// Refuses JSON that names a field which the message has not, or one field twice: a misspelt field would be a request for
/// something else. The services themselves ignore unknown fields, so that newer clients can talk to older services.
package enum RequestCheck {
    /// - Throws: `CommandFailure` that names the field by its path, and those there are.
    package static func check(_ json: String, as message: any WireMessage.Type) throws {
        // Only valid JSON is walked; the decoder says what is wrong with the rest.
        guard (try? JSONSerialization.jsonObject(with: Data(json.utf8))) != nil else { return }
        var walker = JSONWalker(json)
        try check(walker.value(), as: message, path: "")
    }

    private static func check(_ value: JSONWalker.Node, as message: any WireMessage.Type, path: String) throws {
        guard case .object(let members) = value else { return }
        let fields = MessageField.all(of: message)
        var seen: Set<String> = []
        for (key, value) in members {
            let place = path.isEmpty ? key : "\(path).\(key)"
            guard let field = fields.first(where: { $0.name == key || $0.name == MethodName.jsonName(key) }) else {
                let name = message.messageName.split(separator: ".").last ?? ""
                let known = fields.map(\.name).joined(separator: ", ")
                throw CommandFailure(
                    "there is no field \(place); \(name) has \(known.isEmpty ? "none" : known)")
            }
            guard seen.insert(field.name).inserted else { throw CommandFailure("the field \(place) is given twice") }
            guard let inner = field.message else { continue }
            switch (field.label, value) {
            case (.repeated, .array(let elements)):
                for (index, element) in elements.enumerated() {
                    try check(element, as: inner, path: "\(place)[\(index)]")
                }
            case (.map, .object(let entries)):
                for (key, entry) in entries { try check(entry, as: inner, path: "\(place).\(key)") }
            default: try check(value, as: inner, path: place)
            }
        }
    }
}
