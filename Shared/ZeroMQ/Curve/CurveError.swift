public import Observability

/// A file of keys that cannot be used: which, and why. Quotes nothing of its contents.
public struct CurveError: DescribedInLogs, Equatable, CustomStringConvertible {
    public let path: String
    public let problem: String

    init(_ path: String, _ problem: String) {
        self.path = path
        self.problem = problem
    }

    public var description: String { "\(path): \(problem)" }

    public var logDescription: String { description }
}
