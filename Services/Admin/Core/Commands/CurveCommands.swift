import Glibc
import Runtime
import ZeroMQ

/// The keys by which processes of several hosts know each other. These commands work on files alone.
enum CurveCommands {
    static let all: [Command] = [create, show, list, allow, delete]

    private static let keyFile = OptionSpec.value(
        "key-file", "FILE", "The file of the secret key (default: BELLWIRE_CURVE_KEY)")
    private static let allowedFile = OptionSpec.value(
        "allowed-file", "FILE", "The file of the allowed keys (default: BELLWIRE_CURVE_ALLOWED)")

    private static let anExampleKey = "a72afaa273c9d116ca20f905808a32901f473cd6d0a544e374bf8465a5dea27b"

    private static let create = Command(
        CommandSpec(
            "curve create", "Make a secret key", options: [keyFile],
            discussion: """
                Writes it to a new file that only you may read, and prints the public key that belongs to it. Never
                overwrites a file.
                """)
    ) { session in
        let key = try CurveSecretKey.create(path: try session.path("key-file", .curveKey))
        try session.show(key.publicKey)
        return ExitStatus.success
    }

    private static let show = Command(
        CommandSpec("curve show", "Show the public key of a secret key", options: [keyFile])
    ) { session in
        try session.show(try CurveSecretKey.read(path: try session.path("key-file", .curveKey)).publicKey)
        return ExitStatus.success
    }

    private static let list = Command(
        CommandSpec("curve list", "List the allowed keys", options: [allowedFile])
    ) { session in
        let path = try session.path("allowed-file", .curveAllowed)
        guard unsafe access(path, F_OK) == 0 else {
            throw CommandFailure("cannot read \(path) (\(SystemError("access")))")
        }
        let keys = try session.allowedKeys.list()
        try await Pages(limit: nil, after: "").show(on: session.output) { _, _ in (keys, "") }
        return ExitStatus.success
    }

    private static let allow = Command(
        CommandSpec(
            "curve allow", "Let a key connect",
            operands: [
                OperandSpec("NAME", "Whose key it is: 1 to 32 of a-z, 0-9, - and ."),
                OperandSpec("KEY", "The public key, as `bellwire curve create` and `show` print it"),
                OperandSpec("ROLES", "What it may be: names of services, or operator, with commas between"),
            ],
            options: [allowedFile],
            discussion: """
                A key that is there already gets this name and these roles. A name may have several keys, so that an old
                one goes on working while it is replaced. Running services look at the file by themselves.
                """, example: "host-a \(anExampleKey) calls,records")
    ) { session in
        guard let key = CurvePublicKey(session.operand("KEY")) else {
            throw session.invocation.wrong("the key is not 64 hexadecimal digits")
        }
        let name = session.operand("NAME")
        let roles = session.operand("ROLES").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard AllowedKey.isWord(name), roles.allSatisfy(AllowedKey.isWord) else {
            throw session.invocation.wrong("a name and a role are 1 to 32 of a-z, 0-9, - and .")
        }
        let known = Set(ServiceProcess.names + ["conference", "edge", "operator"])
        guard known.isSuperset(of: roles) else {
            throw session.invocation.wrong("a role is one of \(known.sorted().joined(separator: ", "))")
        }
        let allowed = AllowedKey(key: key, name: name, roles: Set(roles))
        try session.allowedKeys.allow(allowed)
        try session.output.show(allowed)
        return ExitStatus.success
    }

    private static let delete = Command(
        CommandSpec(
            "curve delete", "Let a key, or all keys of a name, connect no more",
            operands: [OperandSpec("KEY", "The public key, or the name")], options: [allowedFile],
            discussion: "Running services end the key's calls within a second.", example: "host-a")
    ) { session in
        let meant = session.operand("KEY")
        let deleted = try session.allowedKeys.delete { $0.name == meant || $0.key == CurvePublicKey(meant) }
        guard !deleted.isEmpty else { throw CommandFailure("no allowed key is or has \(meant)") }
        for allowed in deleted { try session.deleted(allowed.key.description) }
        return ExitStatus.success
    }
}

extension CommandSession {
    fileprivate func path(_ option: String, _ key: ConfigurationKey) throws(UsageError) -> String {
        guard let path = text(option).isEmpty ? configuration.string(key) : text(option) else {
            throw invocation.wrong("--\(option) or \(key.variable) must name the file")
        }
        return path
    }

    fileprivate var allowedKeys: AllowedKeysFile {
        get throws { AllowedKeysFile(path: try path("allowed-file", .curveAllowed)) }
    }

    fileprivate func show(_ key: CurvePublicKey) throws {
        if output.json { return try output.line(.object([.init("key", .string(key.description))])) }
        try output.write("\(key)\n")
    }
}
