import Bus
import Domain
import Observability
import RPC
import Runtime
import Store
import Wire
import ZeroMQ

/// A running system, as an operator's command reaches it: finds the services in the database, calls them by RPC. It
/// registers nothing.
final class Connection: Sendable {
    let membership: Membership
    let client: RPCClient
    private let database: Database

    /// - Parameter curve: the operator's key, and those of the services; for services on other hosts.
    /// - Throws: `Unreachable` when the database cannot be had or holds no Bellwire.
    init(databaseURL: String, curve: CurveCredentials?, logger: Logger) async throws {
        database = Database(
            DatabaseConfiguration(url: databaseURL, connections: 2, applicationName: "bellwire-cli"), logger: logger)
        membership = Membership(observing: database, logger: logger)
        client = RPCClient(
            caller: "operator/cli", resolver: membership, logger: logger, counters: Counters(), curve: curve)
        do {
            try await database.start()
        } catch {
            await database.stop()
            throw Unreachable("the database cannot be reached (\(error)); is the system up?")
        }
        do {
            try await client.start()
            try await membership.start()
        } catch {
            await stop()
            throw Unreachable("the services cannot be found in the database (\(error)); was `bellwire migrate` run?")
        }
    }

    func stop() async {
        await membership.stop()
        await client.stop()
        await database.stop()
    }

    var directory: DirectoryV1.DirectoryClient { .init(client) }
    var calls: CallsV1.CallsClient { .init(client) }
    var records: RecordsV1.RecordsClient { .init(client) }
    var voicemails: VoicemailV1.VoicemailsClient { .init(client) }
    var notifications: NotificationsV1.NotificationsClient { .init(client) }
    var runtime: RuntimeV1.RuntimeClient { .init(client) }

    /// A user's id from an id, or from an identity and its account; "" stays "". An id is taken as it is: it needs no
    /// directory, which may be away.
    func userID(_ user: String, account: String) async throws -> String {
        if user.isEmpty || (account.isEmpty && BellwireID(user) != nil) { return user }
        return try await existingUserID(user, account: account)
    }

    /// The id of a user that is there: for what would be kept for nobody otherwise.
    func existingUserID(_ user: String, account: String) async throws -> String {
        var request = DirectoryV1.GetUserRequest()
        request.user = user
        request.account = account
        return try await directory.getUser(request).id
    }
}

/// A service, or the database, cannot be reached: exit 69.
struct Unreachable: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
