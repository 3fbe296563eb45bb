import RPC
import Runtime

/// What went wrong with a command, for people and for programs.
package struct Complaint: Sendable {
    /// A word of a closed set: a status code of RPC (`notFound`, ...), `usage`, `configuration`, `output` or `failed`.
    package let code: String
    package let message: String
    /// What the program ends with.
    package let exitStatus: Int32
    /// The usage of the command, for people.
    private var usage = ""
    /// The configuration key that is wrong.
    private var key: String?

    package init(code: String = "failed", message: String, exitStatus: Int32 = ExitStatus.failure) {
        self.code = code
        self.message = message
        self.exitStatus = exitStatus
    }

    package init(_ error: any Error) {
        switch error {
        case let error as UsageError:
            self.init(code: "usage", message: error.message, exitStatus: ExitStatus.usage)
            usage = error.usage.hasSuffix("\n") ? String(error.usage.dropLast()) : error.usage
        case let error as ConfigurationError:
            self.init(code: "configuration", message: error.description, exitStatus: ExitStatus.configuration)
            key = error.key
        case let error as RPCError:
            self.init(code: error.code.slug, message: error.message, exitStatus: error.exitStatus)
        case let error as Unreachable:
            self.init(
                code: StatusCode.unavailable.slug, message: error.description, exitStatus: ExitStatus.unavailable)
        case let error as OutputFailure:
            self.init(code: "output", message: error.description, exitStatus: ExitStatus.output)
        case let error as StartFailure:
            self.init(message: error.description, exitStatus: error.exitStatus)
        default:
            self.init(message: "\(error)")
        }
    }

    /// For people.
    package var text: String {
        let isStatusCode = StatusCode.allCases.contains { $0.slug == code && $0 != .unavailable }
        let line = isStatusCode ? "\(code): \(message)" : message
        return usage.isEmpty ? line : line + "\n" + usage
    }

    /// For programs.
    package var json: JSONValue {
        var fields: [JSONValue.Field] = [.init("code", .string(code)), .init("message", .string(message))]
        if let key { fields.append(.init("key", .string(key))) }
        fields.append(.init("exitStatus", .number(exitStatus)))
        return .object([.init("error", .object(fields))])
    }
}
