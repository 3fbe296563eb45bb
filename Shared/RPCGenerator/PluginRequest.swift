import CProtobufC
import CWire

/// What protoc asks for: every file it has read, dependencies first, and which of them to generate.
struct PluginRequest {
    let filesToGenerate: Set<String>
    /// `key=value` pairs of `--bellwire_out=key=value,...:DIR`.
    let parameters: [String: String]
    let files: [FileSchema]

    init(wire: [UInt8]) throws {
        guard let request = google__protobuf__compiler__code_generator_request__unpack(nil, wire.count, wire) else {
            throw GeneratorError("protoc's request cannot be read")
        }
        defer { google__protobuf__compiler__code_generator_request__free_unpacked(request, nil) }
        let c = request.pointee
        filesToGenerate = Set(strings(c.file_to_generate, c.n_file_to_generate))
        parameters = Dictionary(
            string(c.parameter).split(separator: ",").map { pair in
                let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
                return (parts[0], parts.count > 1 ? parts[1] : "true")
            }, uniquingKeysWith: { $1 })
        files = array(c.proto_file, c.n_proto_file).map { FileSchema($0.pointee) }
    }
}
