/// A command: what it is called, and what it does.
package struct Command: Sendable {
    package let spec: CommandSpec
    /// Returns the exit status.
    let run: @Sendable (CommandSession) async throws -> Int32

    init(_ spec: CommandSpec, _ run: @escaping @Sendable (CommandSession) async throws -> Int32) {
        self.spec = spec
        self.run = run
    }

    /// What ids look like, for examples.
    static let anID = "018f6b2e-7d1c-7a40-9c51-2f1a6f1e0c11"

    /// A command that calls services and succeeds when it returns.
    static func calling(
        _ spec: CommandSpec, _ run: @escaping @Sendable (CommandSession, Connection) async throws -> Void
    ) -> Command {
        Command(spec) { session in
            try await session.connected { connection in try await run(session, connection) }
            return 0
        }
    }
}

extension OptionSpec {
    static let account = OptionSpec.value("account", "ACCOUNT", "The account, by id or name")
    static let ownersAccount = OptionSpec.value(
        "account", "ACCOUNT", "The account of --owner, by id or name", needs: "owner")
    static let owner = OptionSpec.value("owner", "USER", "Only this user's: an id, or an identity with --account")
    static let number = OptionSpec.value("number", "E164", "Only those of this local number", .e164)
    static let limit = OptionSpec.value("limit", "N", "At most N", .number(1...UInt32.max))
    static let after = OptionSpec.value("after", "TOKEN", "Go on after this token", mayBeEmpty: true)

    static let paging: [OptionSpec] = [limit, after]
}

extension CommandSession {
    func operand(_ name: String) -> String { invocation.operand(name) }

    func text(_ option: String) -> String { invocation.text(option) }

    func pages() -> Pages { Pages(limit: invocation.number("limit"), after: text("after")) }

    /// `--owner` as a user id.
    func owner(_ connection: Connection) async throws -> String {
        try await connection.userID(text("owner"), account: text("account"))
    }
}
