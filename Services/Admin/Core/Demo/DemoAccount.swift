import RPC
import Wire

/// The demo's account, user and number: made once, found again afterwards.
struct DemoAccount: Sendable {
    static let name = "demo"
    static let identity = "alice"
    /// Short, since nobody is going to answer.
    static let ringTimeSeconds: UInt32 = 4

    let user: DirectoryV1.User
    /// True when it was made by this run.
    let isNew: Bool

    static func prepare(_ directory: DirectoryV1.DirectoryClient) async throws -> DemoAccount {
        var isNew = false
        let account = try await found {
            var request = DirectoryV1.GetAccountRequest()
            request.account = name
            return try await directory.getAccount(request)
        } else: {
            isNew = true
            var request = DirectoryV1.CreateAccountRequest()
            request.name = name
            request.sipDomain = "demo.bellwire.invalid"
            request.region = "US"
            return try await directory.createAccount(request)
        }
        let user = try await found {
            var request = DirectoryV1.GetUserRequest()
            request.user = identity
            request.account = account.id
            return try await directory.getUser(request)
        } else: {
            isNew = true
            var request = DirectoryV1.CreateUserRequest()
            request.account = account.id
            request.identity = identity
            request.ringTimeSeconds = ringTimeSeconds
            return try await directory.createUser(request)
        }
        _ = try await found {
            var request = DirectoryV1.GetPhoneNumberRequest()
            request.phoneNumber = DemoNumbers.callee
            return try await directory.getPhoneNumber(request)
        } else: {
            isNew = true
            var request = DirectoryV1.CreatePhoneNumberRequest()
            request.phoneNumber = DemoNumbers.callee
            request.user = user.id
            request.account = account.id
            return try await directory.createPhoneNumber(request)
        }
        return DemoAccount(user: user, isNew: isNew)
    }

    private static func found<Value>(
        _ get: () async throws -> Value, else create: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await get()
        } catch let error as RPCError where error.code == .notFound {
            return try await create()
        }
    }
}
