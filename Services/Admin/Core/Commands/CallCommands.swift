import Wire

enum CallCommands {
    static let all: [Command] = [
        list, show, hangUp,
        Watching.command("call watch", "Watch calls change", topic: .calls, number: false),
    ]

    private static let call = OperandSpec("CALL", "Its id")

    private static let list = Command.calling(
        CommandSpec(
            "call list", "List calls, the newest first",
            options: [.account, .flag("live", "Only those that have not ended")] + OptionSpec.paging,
            example: "--live")
    ) { session, connection in
        var account = session.text("account")
        if !account.isEmpty {
            var request = DirectoryV1.GetAccountRequest()
            request.account = account
            account = try await connection.directory.getAccount(request).id
        }
        try await session.pages().show(on: session.output) { limit, after in
            var request = CallsV1.ListCallsRequest()
            request.accountID = account
            request.live = session.invocation.has("live")
            request.limit = limit
            request.after = after
            let response = try await connection.calls.listCalls(request)
            return (response.calls, response.next)
        }
    }

    private static let show = Command.calling(
        CommandSpec("call show", "Show a call", operands: [call], example: Command.anID)
    ) { session, connection in
        var request = CallsV1.GetCallRequest()
        request.callID = session.operand("CALL")
        try session.output.show(try await connection.calls.getCall(request))
    }

    private static let hangUp = Command.calling(
        CommandSpec("call hangup", "End a call", operands: [call], example: Command.anID)
    ) { session, connection in
        var request = CallsV1.HangUpCallRequest()
        request.callID = session.operand("CALL")
        let response = try await connection.calls.hangUpCall(request)
        if let call = response.call { try session.output.show(call) }
    }
}
