// protoc's plugin that makes the Swift side of Shared/Wire. protoc writes a CodeGeneratorRequest to standard input and
// reads a CodeGeneratorResponse from standard output.

do {
    let request = try PluginRequest(wire: StandardStreams.readInput())
    let files = try Generator(request).files()
    StandardStreams.writeOutput(PluginResponse.encode(files: files))
} catch let error as GeneratorError {
    StandardStreams.writeOutput(PluginResponse.encode(error: error.message))
}
