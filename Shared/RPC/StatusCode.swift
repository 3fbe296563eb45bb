/// gRPC's status codes: the closed set of outcomes that crosses the wire.
public enum StatusCode: UInt8, Sendable, Hashable, CaseIterable, Codable {
    case ok = 0
    case cancelled = 1
    case unknown = 2
    case invalidArgument = 3
    case deadlineExceeded = 4
    case notFound = 5
    case alreadyExists = 6
    case permissionDenied = 7
    case resourceExhausted = 8
    case failedPrecondition = 9
    case aborted = 10
    case outOfRange = 11
    case unimplemented = 12
    case `internal` = 13
    case unavailable = 14
    case dataLoss = 15
    case unauthenticated = 16

    /// The code in lower camel case, as JSON output and metric labels have it.
    public var slug: String { "\(self)" }
}
