/// Wrong configuration: names the key, or the file's line, and what is wanted. Ends a start with exit status 78.
public struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    public let key: String
    public let problem: String

    public init(key: String, problem: String) {
        self.key = key
        self.problem = problem
    }

    public var description: String { "\(key): \(problem)" }
}
