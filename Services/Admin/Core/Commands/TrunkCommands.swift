import Wire
import WireFormat

enum TrunkCommands {
    static let all: [Command] = [create, list, show, delete]

    private static let trunk = OperandSpec("TRUNK", "Its id, or its name with --account")

    private static let create = Command.calling(
        CommandSpec(
            "trunk create", "Make a way to the telephone network",
            operands: [OperandSpec("NAME", "Its name, unique in the account")],
            options: [
                .value("account", "ACCOUNT", "The account, by id or name", required: true),
                .value("host", "HOST", "A host name or IPv4 address", required: true),
                .value("port", "PORT", "Its SIP port (default: 5060)", .number(1...65_535)),
                .value("transport", "TRANSPORT", "udp (the default) or tcp", .oneOf(["udp", "tcp"])),
                .value("username", "NAME", "For digest authentication"),
                .value("password", "PASSWORD", "For digest authentication; never shown again"),
                .value("caller-number", "NUMBER", "Shown where the caller has no number of their own"),
                .flag("fixed-caller", "Show --caller-number whoever calls"),
                .value("prefixes", "LIST", "What the numbers begin with, as +44,+1202 (default: any number)", .list),
                .value(
                    "priority", "N", "Of trunks that fit equally the lower comes first (default: 0)",
                    .number(0...UInt32.max)),
            ], example: "carrier --account demo --host sip.carrier.example --prefixes +1")
    ) { session, connection in
        var request = DirectoryV1.CreateTrunkRequest()
        request.account = session.text("account")
        request.name = session.operand("NAME")
        request.host = session.text("host")
        request.port = session.invocation.number("port") ?? 0
        request.transport = DirectoryV1.Transport(name: session.text("transport")) ?? .unspecified
        request.username = session.text("username")
        request.password = session.text("password")
        request.callerNumber = session.text("caller-number")
        request.callerRule = session.invocation.has("fixed-caller") ? .fixed : .owned
        request.prefixes = session.invocation.list("prefixes")
        request.priority = session.invocation.number("priority") ?? 0
        try session.output.show(try await connection.directory.createTrunk(request))
    }

    private static let list = Command.calling(
        CommandSpec("trunk list", "List trunks", options: [.account] + OptionSpec.paging, example: "--account demo")
    ) { session, connection in
        try await session.pages().show(on: session.output) { limit, after in
            var request = DirectoryV1.ListTrunksRequest()
            request.account = session.text("account")
            request.limit = limit
            request.after = after
            let response = try await connection.directory.listTrunks(request)
            return (response.trunks, response.next)
        }
    }

    private static let show = Command.calling(
        CommandSpec(
            "trunk show", "Show a trunk", operands: [trunk], options: [.account], example: "carrier --account demo")
    ) { session, connection in
        var request = DirectoryV1.GetTrunkRequest()
        request.trunk = session.operand("TRUNK")
        request.account = session.text("account")
        try session.output.show(try await connection.directory.getTrunk(request))
    }

    private static let delete = Command.calling(
        CommandSpec(
            "trunk delete", "Delete a trunk; calls through it go on", operands: [trunk], options: [.account],
            example: "carrier --account demo")
    ) { session, connection in
        var request = DirectoryV1.DeleteTrunkRequest()
        request.trunk = session.operand("TRUNK")
        request.account = session.text("account")
        try session.deleted(try await connection.directory.deleteTrunk(request).id)
    }
}
