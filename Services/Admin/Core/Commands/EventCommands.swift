import RPC
import Runtime
import Wire

enum EventCommands {
    static let all: [Command] = [tail]

    private static let tail = Command.calling(
        CommandSpec(
            "events tail", "Show the event log as it grows",
            options: [
                .value(
                    "after", "TOKEN", "Go on after this token; `start`: from the oldest event kept",
                    mayBeEmpty: true),
                .value("topics", "A,B", "Only these topics: calls, records, voicemails, ...", .list),
            ], discussion: "Until Ctrl-C, also through restarts of the services.",
            example: "--after start --topics records,voicemails")
    ) { session, connection in
        let topics = session.invocation.list("topics")
        let output = session.output
        try await Watching.untilInterrupted {
            var isTailing = false
            try await Following(output: output).run(after: session.text("after")) { token in
                var request = NotificationsV1.TailEventsRequest()
                request.after = token
                request.topics = topics
                return connection.notifications.tailEvents(request)
            } handle: { event in
                if let reset = event.reset {
                    let fields: [JSONValue.Field] = [
                        .init("token", .string(event.token)), .init("reset", .string(reset.reason)),
                    ]
                    try output.json
                        ? output.line(.object(fields)) : output.write("reset: the token is \(reset.reason)\n")
                } else if event.topic.isEmpty {
                    // Only says that the subscription stands, and from where.
                    if !output.json && !isTailing { output.note("tailing; Ctrl-C ends it") }
                    isTailing = true
                } else if output.json {
                    try output.line(.object(event.fields))
                } else {
                    try output.write(event.row.map(TextTable.printable).joined(separator: "  ") + "\n")
                }
                return event.token
            }
        }
    }
}
