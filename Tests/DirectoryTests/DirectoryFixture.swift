import DirectoryCore
import Numbering
import RPC
import Store
import TestSupport
import Wire

/// The service on a database of its own, called through its stubs.
struct DirectoryFixture {
    let database: Database
    let client: DirectoryV1.DirectoryClient

    /// As the service's own role: what it is not granted, fails.
    static func run(_ body: (DirectoryFixture) async throws -> Void) async throws {
        let configuration = DatabaseConfiguration(
            url: try await TestPostgres.shared.makeDatabase(), role: "bellwire_directory", connections: 3)
        let database = Database(configuration, logger: TestPostgres.quiet)
        try await database.start()
        let handler = DirectoryHandler(database: database, defaultRegion: Region("US"), logger: TestPostgres.quiet)
        let channel = InProcessChannel(caller: "operator/test-1", handlers: [handler])
        do {
            try await body(DirectoryFixture(database: database, client: DirectoryV1.DirectoryClient(channel)))
        } catch {
            await database.stop()
            throw error
        }
        await database.stop()
    }

    /// For another caller than an operator.
    func client(of service: String) -> DirectoryV1.DirectoryClient {
        let handler = DirectoryHandler(database: database, defaultRegion: Region("US"), logger: TestPostgres.quiet)
        return DirectoryV1.DirectoryClient(InProcessChannel(caller: "\(service)/test-1", handlers: [handler]))
    }

    func account(_ name: String = "acme", region: String = "GB") async throws -> DirectoryV1.Account {
        var request = DirectoryV1.CreateAccountRequest()
        request.name = name
        request.region = region
        return try await client.createAccount(request)
    }

    func user(
        _ identity: String, in account: DirectoryV1.Account,
        _ change: (inout DirectoryV1.CreateUserRequest) -> Void = { _ in }
    ) async throws -> DirectoryV1.User {
        var request = DirectoryV1.CreateUserRequest()
        request.account = account.id
        request.identity = identity
        change(&request)
        return try await client.createUser(request)
    }

    func assign(_ number: String, to user: DirectoryV1.User, persona: String = "") async throws
        -> DirectoryV1.PhoneNumber
    {
        var request = DirectoryV1.CreatePhoneNumberRequest()
        request.phoneNumber = number
        request.user = user.id
        request.personaID = persona
        return try await client.createPhoneNumber(request)
    }

    func lookUp(_ dialled: String, region: String = "") async throws -> DirectoryV1.LookUpNumberResponse {
        var request = DirectoryV1.LookUpNumberRequest()
        request.dialled = dialled
        request.region = region
        return try await client.lookUpNumber(request)
    }

    func release(_ reference: String) async throws {
        var request = DirectoryV1.DeletePhoneNumberRequest()
        request.phoneNumber = reference
        _ = try await client.deletePhoneNumber(request)
    }

    func number(_ reference: String) async throws -> DirectoryV1.PhoneNumber {
        var request = DirectoryV1.GetPhoneNumberRequest()
        request.phoneNumber = reference
        return try await client.getPhoneNumber(request)
    }
}

/// The status that `body` is refused with; nil when it is not.
func refusal(_ body: () async throws -> Void) async -> StatusCode? {
    do {
        try await body()
        return nil
    } catch let error as RPCError {
        return error.code
    } catch {
        return .unknown
    }
}
