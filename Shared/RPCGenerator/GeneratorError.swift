/// Why no code is made: a construct that Bellwire does not use, or refuses for safety. `message` names it.
struct GeneratorError: Error {
    let message: String

    init(_ message: String) { self.message = message }
}
