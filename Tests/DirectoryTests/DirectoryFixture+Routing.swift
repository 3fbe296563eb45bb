import Wire

extension DirectoryFixture {
    func trunk(
        _ name: String, of account: DirectoryV1.Account,
        _ change: (inout DirectoryV1.CreateTrunkRequest) -> Void = { _ in }
    ) async throws -> DirectoryV1.Trunk {
        var request = DirectoryV1.CreateTrunkRequest()
        request.account = account.id
        request.name = name
        request.host = "192.0.2.1"
        change(&request)
        return try await client.createTrunk(request)
    }

    func contact(_ uri: String, of user: DirectoryV1.User) async throws -> DirectoryV1.SIPContact {
        var request = DirectoryV1.CreateSIPContactRequest()
        request.user = user.id
        request.uri = uri
        return try await client.createSIPContact(request)
    }

    /// - Parameter source: `host:port`.
    func route(
        _ dialled: String, from source: String = "198.51.100.9:5060", as user: String = "",
        over transport: DirectoryV1.Transport = .udp, claiming number: String = ""
    ) async throws -> DirectoryV1.RouteCallResponse {
        var request = DirectoryV1.RouteCallRequest()
        let parts = source.split(separator: ":")
        request.dialled = dialled
        request.sourceHost = String(parts[0])
        request.sourcePort = UInt32(parts[1]) ?? 0
        request.sourceTransport = transport
        request.fromUser = user
        request.claimedNumber = number
        return try await client.routeCall(request)
    }
}
