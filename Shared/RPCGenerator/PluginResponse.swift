import CProtobufC
import CWire
import Glibc

/// A file to be written.
struct GeneratedFile {
    let name: String
    let content: String
}

/// What goes back to protoc.
enum PluginResponse {
    /// FEATURE_PROTO3_OPTIONAL of plugin.proto.
    private static let supportedFeatures: UInt64 = 1

    static func encode(files: [GeneratedFile] = [], error: String? = nil) -> [UInt8] {
        var response = Google__Protobuf__Compiler__CodeGeneratorResponse()
        google__protobuf__compiler__code_generator_response__init(&response)
        response.has_supported_features = 1
        response.supported_features = supportedFeatures
        // The process ends right after this: nothing is freed.
        response.error = error.flatMap { strdup($0) }
        response.n_file = files.count
        response.file = .allocate(capacity: files.count)
        for (index, file) in files.enumerated() {
            var entry = Google__Protobuf__Compiler__CodeGeneratorResponse__File()
            google__protobuf__compiler__code_generator_response__file__init(&entry)
            entry.name = strdup(file.name)
            entry.content = strdup(file.content)
            response.file[index] = .allocate(capacity: 1)
            response.file[index]?.initialize(to: entry)
        }
        let size = google__protobuf__compiler__code_generator_response__get_packed_size(&response)
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = google__protobuf__compiler__code_generator_response__pack(&response, buffer.baseAddress)
        }
    }
}
