import Wire

enum NumberCommands {
    static let all: [Command] = [create, list, show, delete]

    private static let number = OperandSpec("NUMBER", "The number in E.164, or its assignment's id")

    private static let create = Command.calling(
        CommandSpec(
            "number create", "Give a user a phone number",
            operands: [OperandSpec("NUMBER", "E.164, or as dialled in the account's country")],
            options: [
                .value(
                    "owner", "USER", "The user: an id, or an identity with --account", required: true,
                    formerName: "user"), .account,
                .value("persona", "ID", "The persona (default: the user's default one)"),
            ], example: "+12025550124 --account demo --owner bob")
    ) { session, connection in
        var request = DirectoryV1.CreatePhoneNumberRequest()
        request.phoneNumber = session.operand("NUMBER")
        request.user = session.text("owner")
        request.account = session.text("account")
        request.personaID = session.text("persona")
        try session.output.show(try await connection.directory.createPhoneNumber(request))
    }

    private static let list = Command.calling(
        CommandSpec(
            "number list", "List phone numbers",
            options: [
                .account,
                .value("owner", "USER", "Only this user's: an id, or an identity with --account", formerName: "user"),
            ] + OptionSpec.paging, example: "--account demo --owner bob")
    ) { session, connection in
        try await session.pages().show(on: session.output) { limit, after in
            var request = DirectoryV1.ListPhoneNumbersRequest()
            request.account = session.text("account")
            request.user = session.text("owner")
            request.limit = limit
            request.after = after
            let response = try await connection.directory.listPhoneNumbers(request)
            return (response.phoneNumbers, response.next)
        }
    }

    private static let show = Command.calling(
        CommandSpec("number show", "Show a phone number", operands: [number], example: "+12025550123")
    ) { session, connection in
        var request = DirectoryV1.GetPhoneNumberRequest()
        request.phoneNumber = session.operand("NUMBER")
        try session.output.show(try await connection.directory.getPhoneNumber(request))
    }

    private static let delete = Command.calling(
        CommandSpec("number delete", "Take a phone number back", operands: [number], example: "+12025550124")
    ) { session, connection in
        var request = DirectoryV1.DeletePhoneNumberRequest()
        request.phoneNumber = session.operand("NUMBER")
        try session.deleted(try await connection.directory.deletePhoneNumber(request).id)
    }
}
