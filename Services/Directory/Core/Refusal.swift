import RPC
import Store

/// The errors of this service: what is wrong, for a person, without the value that was wrong.
enum Refusal {
    static func invalid(_ text: String) -> RPCError { RPCError(.invalidArgument, text) }
    static func missing(_ what: String) -> RPCError { RPCError(.notFound, "no such \(what)") }
    static func exists(_ text: String) -> RPCError { RPCError(.alreadyExists, text) }
    static func premature(_ text: String) -> RPCError { RPCError(.failedPrecondition, text) }
}

extension [Row] {
    /// The first row, which is the only one; `notFound` when there is none.
    func one(_ what: String) throws(RPCError) -> Row {
        guard let row = first else { throw Refusal.missing(what) }
        return row
    }
}
