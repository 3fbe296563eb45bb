import Wire

enum DeviceCommands {
    static let all: [Command] = [add, list, remove]

    private static let add = Command.calling(
        CommandSpec(
            "device add", "Let a SIP phone ring for a user, and call in their name",
            operands: [OperandSpec("URI", "sip:[user@]host[:port][;transport=udp|tcp]")],
            options: [
                .value("owner", "USER", "The user: an id, or an identity with --account", required: true), .account,
            ],
            discussion: """
                A phone is known by its address: what comes from it, with the user's identity, one of their numbers or
                the URI's user part in From, is a call of the user's.
                """, example: "sip:alice@192.0.2.10:5060 --owner alice --account demo")
    ) { session, connection in
        var request = DirectoryV1.CreateSIPContactRequest()
        request.user = session.text("owner")
        request.account = session.text("account")
        request.uri = session.operand("URI")
        try session.output.show(try await connection.directory.createSIPContact(request))
    }

    private static let list = Command.calling(
        CommandSpec(
            "device list", "List the devices of a user, the newest first",
            options: [
                .value("owner", "USER", "The user: an id, or an identity with --account", required: true), .account,
            ], example: "--owner alice --account demo")
    ) { session, connection in
        var request = NotificationsV1.ListDevicesRequest()
        request.userID = try await connection.existingUserID(session.text("owner"), account: session.text("account"))
        let devices = try await connection.notifications.listDevices(request).devices
        try await Pages(limit: nil, after: "").show(on: session.output) { _, _ in (devices, "") }
    }

    private static let remove = Command.calling(
        CommandSpec(
            "device remove", "Forget a SIP phone", operands: [OperandSpec("DEVICE", "Its id")], example: Command.anID)
    ) { session, connection in
        var request = DirectoryV1.DeleteSIPContactRequest()
        request.id = session.operand("DEVICE")
        try session.deleted(try await connection.directory.deleteSIPContact(request).id)
    }
}
