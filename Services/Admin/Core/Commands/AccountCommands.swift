import Wire

enum AccountCommands {
    static let all: [Command] = [create, list, show, delete]

    private static let create = Command.calling(
        CommandSpec(
            "account create", "Make an account", operands: [OperandSpec("NAME", "Its name, unique here")],
            options: [
                .value("sip-domain", "DOMAIN", "The domain of its SIP addresses"),
                .value("region", "CC", "ISO 3166 country in which numbers without a plus are read"),
            ], example: "acme --region DE")
    ) { session, connection in
        var request = DirectoryV1.CreateAccountRequest()
        request.name = session.operand("NAME")
        request.sipDomain = session.text("sip-domain")
        request.region = session.text("region")
        try session.output.show(try await connection.directory.createAccount(request))
    }

    private static let list = Command.calling(
        CommandSpec("account list", "List the accounts", options: OptionSpec.paging, example: "--limit 10")
    ) { session, connection in
        try await session.pages().show(on: session.output) { limit, after in
            var request = DirectoryV1.ListAccountsRequest()
            request.limit = limit
            request.after = after
            let response = try await connection.directory.listAccounts(request)
            return (response.accounts, response.next)
        }
    }

    private static let show = Command.calling(
        CommandSpec(
            "account show", "Show an account", operands: [OperandSpec("ACCOUNT", "Its id or name")], example: "demo")
    ) { session, connection in
        var request = DirectoryV1.GetAccountRequest()
        request.account = session.operand("ACCOUNT")
        try session.output.show(try await connection.directory.getAccount(request))
    }

    private static let delete = Command.calling(
        CommandSpec(
            "account delete", "Delete an account that has no users and no trunks",
            operands: [OperandSpec("ACCOUNT", "Its id or name")],
            discussion: "An account that has some is refused: delete them first, one by one.", example: "acme")
    ) { session, connection in
        var request = DirectoryV1.DeleteAccountRequest()
        request.account = session.operand("ACCOUNT")
        try session.deleted(try await connection.directory.deleteAccount(request).id)
    }
}

extension CommandSession {
    /// What is shown for a deletion.
    func deleted(_ id: String) throws {
        if output.json {
            try output.line(.object([.init("id", .string(id)), .init("deleted", .bool(true))]))
        } else {
            try output.write("deleted \(id)\n")
        }
    }
}
