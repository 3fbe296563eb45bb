import Foundation
import Wire

enum GreetingCommands {
    static let all: [Command] = [set, show, clear]

    private static let owner = OperandSpec("USER", "An id, or an identity with --account")

    private static let set = Command.calling(
        CommandSpec(
            "greeting set", "Give a user a greeting of its own", operands: [owner],
            options: [.account, .value("file", "FILE", "A WAV file of at most 60 s", required: true)],
            discussion: """
                PCM of 16 bits, one or two channels, 8 to 48 kHz. Callers hear it from the next call on, and a beep after it.
                """, example: "alice --account demo --file greeting.wav")
    ) { session, connection in
        let path = session.text("file")
        guard let wav = FileManager.default.contents(atPath: path) else { throw CommandFailure("cannot read \(path)") }
        var request = VoicemailV1.SetGreetingRequest()
        request.owner = try await connection.userID(session.operand("USER"), account: session.text("account"))
        request.wav = [UInt8](wav)
        try session.output.show(try await connection.voicemails.setGreeting(request))
    }

    private static let show = Command.calling(
        CommandSpec(
            "greeting show", "Show which greeting callers hear", operands: [owner], options: [.account],
            example: "alice --account demo")
    ) { session, connection in
        var request = VoicemailV1.GetGreetingRequest()
        request.owner = try await connection.userID(session.operand("USER"), account: session.text("account"))
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
