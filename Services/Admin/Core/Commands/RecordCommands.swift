import Wire

enum RecordCommands {
    static let all: [Command] = [
        list, show, delete,
        Watching.command("record watch", "Watch call records change", topic: .records, number: true),
    ]

    private static let record = OperandSpec("RECORD", "Its id")

    private static let list = Command.calling(
        CommandSpec(
            "record list", "List call records, the newest first",
            options: [.owner, .ownersAccount, .number] + OptionSpec.paging,
            example: "--owner alice --account demo --limit 20")
    ) { session, connection in
        let owner = try await session.owner(connection)
        try await session.pages().show(on: session.output) { limit, after in
            var request = RecordsV1.ListCallRecordsRequest()
            request.owner = owner
            request.localPhoneNumber = session.text("number")
            request.limit = limit
            request.after = after
            let response = try await connection.records.listCallRecords(request)
            return (response.records, response.next)
        }
    }

    private static let show = Command.calling(
        CommandSpec("record show", "Show a call record", operands: [record], example: Command.anID)
    ) { session, connection in
        var request = RecordsV1.GetCallRecordRequest()
        request.id = session.operand("RECORD")
        try session.output.show(try await connection.records.getCallRecord(request))
    }

    private static let delete = Command.calling(
        CommandSpec(
            "record delete", "Delete a call record; its voicemail stays", operands: [record], example: Command.anID)
    ) { session, connection in
        var request = RecordsV1.DeleteCallRecordRequest()
        request.id = session.operand("RECORD")
        try session.deleted(try await connection.records.deleteCallRecord(request).id)
    }
}
