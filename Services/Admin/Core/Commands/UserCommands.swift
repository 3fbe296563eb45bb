import Wire
import WireFormat

enum UserCommands {
    static let all: [Command] = [create, list, show, update, delete]

    /// The directory says which are too large.
    private static let anyNumber = ValueRule.number(0...UInt32.max)
    private static let settings: [OptionSpec] = [
        .value("ring-time", "SECONDS", "How long a call rings before it is diverted", anyNumber),
        .value(
            "ring-policy", "POLICY", "allDevices, newestDevice or decline",
            .oneOf(["allDevices", "newestDevice", "decline"])),
        .value("minimum-message", "SECONDS", "Shorter voicemails are not kept", anyNumber),
        .value("outgoing", "yes|no", "Whether the user may call through trunks", .oneOf(["yes", "no"])),
    ]
    private static let user = OperandSpec("USER", "Its id, or its identity with --account")

    private static func policy(_ session: CommandSession) -> DirectoryV1.RingPolicy {
        DirectoryV1.RingPolicy(name: session.text("ring-policy")) ?? .unspecified
    }

    private static func barred(_ session: CommandSession) -> Bool? {
        session.text("outgoing").isEmpty ? nil : session.text("outgoing") == "no"
    }

    private static let create = Command.calling(
        CommandSpec(
            "user create", "Make a user",
            operands: [OperandSpec("IDENTITY", "Its name, unique in the account")],
            options: [.value("account", "ACCOUNT", "The account, by id or name", required: true)] + settings,
            example: "bob --account demo --ring-time 20")
    ) { session, connection in
        var request = DirectoryV1.CreateUserRequest()
        request.account = session.text("account")
        request.identity = session.operand("IDENTITY")
        request.ringTimeSeconds = session.invocation.number("ring-time")
        request.ringPolicy = policy(session)
        request.minimumMessageSeconds = session.invocation.number("minimum-message")
        request.outgoingBarred = barred(session)
        try session.output.show(try await connection.directory.createUser(request))
    }

    private static let list = Command.calling(
        CommandSpec("user list", "List users", options: [.account] + OptionSpec.paging, example: "--account demo")
    ) { session, connection in
        try await session.pages().show(on: session.output) { limit, after in
            var request = DirectoryV1.ListUsersRequest()
            request.account = session.text("account")
            request.limit = limit
            request.after = after
            let response = try await connection.directory.listUsers(request)
            return (response.users, response.next)
        }
    }

    private static let show = Command.calling(
        CommandSpec(
            "user show", "Show a user", operands: [user], options: [.account], example: "alice --account demo")
    ) { session, connection in
        var request = DirectoryV1.GetUserRequest()
        request.user = session.operand("USER")
        request.account = session.text("account")
        try session.output.show(try await connection.directory.getUser(request))
    }

    private static let update = Command.calling(
        CommandSpec(
            "user update", "Change how a user is rung, and may call", operands: [user],
            options: [.account] + settings, atLeastOne: settings.map(\.name),
            example: "alice --account demo --ring-policy decline")
    ) { session, connection in
        var request = DirectoryV1.UpdateUserRequest()
        request.user = session.operand("USER")
        request.account = session.text("account")
        request.ringTimeSeconds = session.invocation.number("ring-time")
        request.ringPolicy = policy(session)
        request.minimumMessageSeconds = session.invocation.number("minimum-message")
        request.outgoingBarred = barred(session)
        try session.output.show(try await connection.directory.updateUser(request))
    }

    private static let delete = Command.calling(
        CommandSpec(
            "user delete", "Delete a user with its personas and numbers", operands: [user],
            options: [.account, .flag("cascade", "Also its call records, voicemails and greeting")],
            discussion: """
                Without --cascade they are kept, under the deleted user's id: only the operator reaches them, by that id, and no
                later user of the same name does.
                """, example: "alice --account demo --cascade")
    ) { session, connection in
        var request = DirectoryV1.DeleteUserRequest()
        request.user = session.operand("USER")
        request.account = session.text("account")
        guard session.invocation.has("cascade") else {
            return try session.deleted(try await connection.directory.deleteUser(request).id)
        }
        var get = DirectoryV1.GetUserRequest()
        get.user = request.user
        get.account = request.account
        let user = try await connection.directory.getUser(get).id
        let before = try await UserErasure.eraseData(of: user, connection)
        try session.deleted(try await connection.directory.deleteUser(request).id)
        // A call may have ended meanwhile.
        let after = try await UserErasure.eraseData(of: user, connection)
        session.output.note(
            "with \(before.records + after.records) call records and \(before.voicemails + after.voicemails) voicemails",
            [
                .init("records", .number(before.records + after.records)),
                .init("voicemails", .number(before.voicemails + after.voicemails)),
            ])
    }
}
