import Wire

enum VoicemailCommands {
    static let all: [Command] = [
        list, show, download, delete,
        Watching.command("voicemail watch", "Watch voicemails come and go", topic: .voicemails, number: true),
    ]

    private static let voicemail = OperandSpec("VOICEMAIL", "Its id")

    private static let list = Command.calling(
        CommandSpec(
            "voicemail list", "List voicemails, the newest first",
            options: [.owner, .ownersAccount, .number] + OptionSpec.paging,
            example: "--number +12025550123")
    ) { session, connection in
        let owner = try await session.owner(connection)
        try await session.pages().show(on: session.output) { limit, after in
            var request = VoicemailV1.ListVoicemailsRequest()
            request.owner = owner
            request.localPhoneNumber = session.text("number")
            request.limit = limit
            request.after = after
            let response = try await connection.voicemails.listVoicemails(request)
            return (response.voicemails, response.next)
        }
    }

    private static let show = Command.calling(
        CommandSpec("voicemail show", "Show a voicemail", operands: [voicemail], example: Command.anID)
    ) { session, connection in
        var request = VoicemailV1.GetVoicemailRequest()
        request.id = session.operand("VOICEMAIL")
        try session.output.show(try await connection.voicemails.getVoicemail(request))
    }

    private static let download = Command.calling(
        CommandSpec(
            "voicemail download", "Save a voicemail's audio as a WAV file", operands: [voicemail],
            options: [
                .value("output", "FILE", "Where to save it; - writes the audio to standard output", required: true)
            ],
            example: Command.anID + " --output message.wav")
    ) { session, connection in
        let path = session.text("output")
        if path == "-" { return try await VoicemailDownload.write(session.operand("VOICEMAIL"), connection) }
        let size = try await VoicemailDownload.save(session.operand("VOICEMAIL"), to: path, connection)
        if session.output.json {
            try session.output.line(
                .object([
                    .init("id", .string(session.operand("VOICEMAIL"))), .init("file", .string(path)),
                    .init("sizeBytes", .number(size)),
                ]))
        } else {
            try session.output.write("saved \(size) bytes to \(path)\n")
        }
    }

    private static let delete = Command.calling(
        CommandSpec(
            "voicemail delete", "Delete a voicemail and its audio", operands: [voicemail], example: Command.anID)
    ) { session, connection in
        var request = VoicemailV1.DeleteVoicemailRequest()
        request.id = session.operand("VOICEMAIL")
        try session.deleted(try await connection.voicemails.deleteVoicemail(request).id)
    }
}
