import Bus
import Domain
package import RPC
package import Wire

/// `bellwire.calls.v1.Calls`.
package struct CallsHandler: CallsV1.CallsService {
    private static let defaultLimit = 50
    private static let maximumLimit = 500

    private let storage: PostgresCallStorage
    private let registry: CallRegistry
    private let ownership: any SlotOwnership

    package init(storage: PostgresCallStorage, registry: CallRegistry, ownership: any SlotOwnership) {
        self.storage = storage
        self.registry = registry
        self.ownership = ownership
    }

    package func getCall(_ request: CallsV1.GetCallRequest, context: CallContext) async throws -> CallsV1.Call {
        try await stored(try id(request.callID, "call_id"))
    }

    package func listCalls(
        _ request: CallsV1.ListCallsRequest, context: CallContext
    ) async throws -> CallsV1.ListCallsResponse {
        let account = request.accountID.isEmpty ? nil : try id(request.accountID, "account_id")
        let scope = "calls/\(request.accountID)/\(request.live)"
        let limit = request.limit == 0 ? CallsHandler.defaultLimit : min(Int(request.limit), CallsHandler.maximumLimit)
        var listing = PostgresCallStorage.Listing(accountID: account, isLive: request.live, limit: limit + 1)
        if !request.after.isEmpty {
            guard let token = PageToken(request.after, scope: scope) else {
                throw RPCError(.invalidArgument, "after is no token of this listing")
            }
            listing.after = (Moment(microseconds: token.microseconds), token.id)
        }
        let calls = try await storage.calls(listing)
        var response = CallsV1.ListCallsResponse()
        response.calls = calls.prefix(limit).map { CallsV1.Call($0) }
        if calls.count > limit, let last = calls.prefix(limit).last {
            response.next = PageToken(microseconds: last.progress.created.microseconds, id: last.facts.id)
                .text(scope: scope)
        }
        return response
    }

    /// The answer may come before the end is stored.
    package func hangUpCall(
        _ request: CallsV1.HangUpCallRequest, context: CallContext
    ) async throws -> CallsV1.HangUpCallResponse {
        let id = try id(request.callID, "call_id")
        var response = CallsV1.HangUpCallResponse()
        if let call = registry.call(id) {
            await call.operatorHungUp()
            if let snapshot = await call.snapshot {
                response.call = snapshot
                return response
            }
        }
        let call = try await stored(id)
        guard call.ended != nil || ownership.lease(slot: id.slot) != nil else { throw RPCError.notOwner }
        response.call = call
        return response
    }

    private func stored(_ id: BellwireID) async throws -> CallsV1.Call {
        guard let call = try await storage.call(id) else { throw RPCError(.notFound, "no such call") }
        return CallsV1.Call(call)
    }

    private func id(_ text: String, _ field: String) throws -> BellwireID {
        guard let id = BellwireID(text) else { throw RPCError(.invalidArgument, "\(field) is no id") }
        return id
    }
}
