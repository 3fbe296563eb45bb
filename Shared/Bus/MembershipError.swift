public import Observability

public enum MembershipError: Error, Sendable, Equatable, DescribedInLogs {
    /// A process of that service and name runs already.
    case nameTaken(service: String, instance: String)
    /// The lock file in the run directory cannot be made.
    case lockUnusable(code: Int32)

    public var logDescription: String {
        switch self {
        case .nameTaken(let service, let instance): "instance \(instance) of \(service) runs already"
        case .lockUnusable(let code): "the instance's lock file cannot be made, errno \(code)"
        }
    }
}
