import Wire

enum DeviceCommands {
    static let all: [Command] = [list]

    private static let list = Command.calling(
        CommandSpec(
            "device list", "List the devices of a user, the newest first",
            options: [
                .value("owner", "USER", "The user: an id, or an identity with --account", required: true), .account,
            ])
    ) { session, connection in
        var request = NotificationsV1.ListDevicesRequest()
        request.userID = try await session.owner(connection)
        let devices = try await connection.notifications.listDevices(request).devices
        try await Pages(limit: nil, after: "").show(on: session.output) { _, _ in (devices, "") }
    }
}
