/// Every command there is, in the order in which the help lists them.
package enum CommandCatalog {
    package static let all: [Command] =
        [
            UpCommand.command, StatusCommands.all[0], DrainCommand.command, MigrateCommand.command,
            VersionCommand.command,
        ]
        + AccountCommands.all + UserCommands.all + NumberCommands.all + TrunkCommands.all + CallCommands.all
        + RecordCommands.all
        + VoicemailCommands.all + GreetingCommands.all + DeviceCommands.all + EventCommands.all
        + StatusCommands.all.dropFirst() + CurveCommands.all + RPCCommands.all
}
