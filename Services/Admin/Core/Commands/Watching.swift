import Foundation
import RPC
import Runtime
import Wire
import WireFormat

/// The `watch` commands: one topic of `Notifications.Subscribe`, live, until Ctrl-C.
enum Watching {
    static let options: [OptionSpec] = [.owner, .ownersAccount, .after]
    static let discussion = """
        Shows every change as it happens, until Ctrl-C, also through restarts of the services. In JSON each line has
        `event` (subscribed, updated, deleted or reset), `token` for --after, and the fields of what changed. After a
        reset the token's place is no longer known: list what there is, then watch on.
        """

    static func command(_ path: String, _ summary: String, topic: NotificationsV1.Topic, number: Bool) -> Command {
        Command.calling(
            CommandSpec(
                path, summary, options: options + (number ? [.number] : []), discussion: discussion,
                example: "--owner alice --account demo")
        ) { session, connection in
            let owner = try await session.owner(connection)
            let number = session.text("number")
            try await untilInterrupted {
                var isSubscribed = false
                try await watch([topic], owner: owner, after: session.text("after"), connection, session.output) {
                    update in
                    // Each time the stream is opened anew it says so; only the first is news.
                    if case .subscribed = update.change {
                        if isSubscribed { return }
                        isSubscribed = true
                    }
                    try show(update, number: number, on: session.output)
                }
            }
        }
    }

    static func watch(
        _ topics: [NotificationsV1.Topic], owner: String, after: String, _ connection: Connection, _ output: Output,
        _ handle: (NotificationsV1.Update) throws -> Void
    ) async throws {
        try await Following(output: output).run(after: after) { token in
            var request = NotificationsV1.SubscribeRequest()
            request.topics = topics
            request.owner = owner
            request.after = token
            return connection.notifications.subscribe(request)
        } handle: { update in
            try handle(update)
            return update.token
        }
    }

    /// Runs the body; Ctrl-C, or a reader of the output that went away, is an orderly end.
    static func untilInterrupted(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let stop = try StopRequest(watchingSignals: true)
        let work = Task {
            defer { stop.request() }
            try await body()
        }
        await stop.wait()
        work.cancel()
        do {
            try await work.value
        } catch is CancellationError {
            return
        } catch let error as RPCError where error.code == .cancelled {
            return
        }
    }

    private static func show(_ update: NotificationsV1.Update, number: String, on output: Output) throws {
        let token = JSONValue.Field("token", .string(update.token))
        func line(_ event: String, _ fields: [JSONValue.Field], _ text: String) throws {
            if output.json {
                try output.line(.object([.init("event", .string(event)), token] + fields))
            } else {
                try output.write(text + "\n")
            }
        }
        switch update.change {
        case .subscribed:
            if output.json { try line("subscribed", [], "") } else { output.note("watching; Ctrl-C ends it") }
        case .reset(let reset):
            try line("reset", [.init("reason", .string(reset.reason))], "reset: the token is \(reset.reason)")
        case .call(let event):
            guard let call = event.call else { return }
            try line("updated", call.fields, EventLine.text(call))
        case .record(let event):
            guard let record = event.record, number.isEmpty || record.localPhoneNumber == number else { return }
            try line(
                event.deleted ? "deleted" : "updated", record.fields, EventLine.text(record, deleted: event.deleted))
        case .voicemail(let event):
            guard let voicemail = event.voicemail, number.isEmpty || voicemail.localPhoneNumber == number else {
                return
            }
            try line(
                event.deleted ? "deleted" : "updated", voicemail.fields,
                EventLine.text(voicemail, deleted: event.deleted))
        case nil:
            return
        }
    }
}
