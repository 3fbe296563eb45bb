import Wire

enum GreetingCommands {
    static let all: [Command] = [set, show, clear]

    private static let owner = OperandSpec("USER", "An id, or an identity with --account")

    /// 60 s of two channels at 48 kHz take 11,520,000 bytes, and there may be more in the file than audio.
    private static let largestFile = 12 << 20

    private static let set = Command.calling(
        CommandSpec(
            "greeting set", "Give a user a greeting of its own", operands: [owner],
            options: [
                .account,
                .value("file", "FILE", "A WAV file of at most 60 s; - reads it from standard input", required: true),
            ],
            discussion: """
                PCM of 16 bits, one or two channels, 8 to 48 kHz. Callers hear it from the next call on, and a beep after it.
                """, example: "alice --account demo --file greeting.wav")
    ) { session, connection in
        var request = VoicemailV1.SetGreetingRequest()
        request.wav = try InputFile.read(session.text("file"), atMost: largestFile)
        request.owner = try await connection.existingUserID(
            session.operand("USER"), account: session.text("account"))
        try session.output.show(try await connection.voicemails.setGreeting(request))
    }

    private static let show = Command.calling(
        CommandSpec(
            "greeting show", "Show which greeting callers hear", operands: [owner], options: [.account],
            example: "alice --account demo")
    ) { session, connection in
        var request = VoicemailV1.GetGreetingRequest()
        request.owner = try await connection.existingUserID(session.operand("USER"), account: session.text("account"))
        try session.output.show(try await connection.voicemails.getGreeting(request))
    }

    private static let clear = Command.calling(
        CommandSpec(
            "greeting clear", "Go back to the default greeting", operands: [owner], options: [.account],
            example: "alice --account demo")
    ) { session, connection in
        var request = VoicemailV1.ClearGreetingRequest()
        request.owner = try await connection.userID(session.operand("USER"), account: session.text("account"))
        try session.output.show(try await connection.voicemails.clearGreeting(request))
    }
}
