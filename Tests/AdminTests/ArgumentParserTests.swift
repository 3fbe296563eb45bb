import AdminCore
import Testing

@Suite struct ArgumentParserTests {
    private let parser = ArgumentParser([
        CommandSpec(
            "record list", "List records",
            options: [
                .value("limit", "N", "At most N", .number(1...99)), .flag("live", "Live"),
                .value("after", "TOKEN", "After", mayBeEmpty: true),
                .value("owner", "USER", "Whose", formerName: "user"),
                .value("account", "ACCOUNT", "The owner's", needs: "owner"),
                .value("number", "E164", "Of this number", .e164),
                .value("state", "STATE", "In this state", .oneOf(["completed", "unanswered"])),
                .value("topics", "A,B", "Of these", .list),
            ]),
        CommandSpec(
            "user update", "Change one", operands: [OperandSpec("USER", "Its id")],
            options: [.value("name", "NAME", "Its name"), .value("age", "AGE", "Its age")],
            atLeastOne: ["name", "age"]),
        CommandSpec("record show", "Show one", operands: [OperandSpec("RECORD", "Its id")]),
        CommandSpec(
            "voicemail download", "Save one", operands: [OperandSpec("ID", "Its id")],
            options: [.value("output", "FILE", "Where", required: true)]),
        CommandSpec("rpc", "Call", operands: [OperandSpec("METHOD", "m"), OperandSpec("JSON", "j", required: false)]),
        CommandSpec("rpc list", "List methods"),
    ])

    private func invocation(_ words: String...) throws -> Invocation {
        guard case .run(let invocation) = try parser.parse(words) else {
            throw UsageError("help instead of a command")
        }
        return invocation
    }

    private func help(_ words: String...) throws -> String {
        guard case .help(let text) = try parser.parse(words) else { throw UsageError("no help") }
        return text
    }

    @Test func `takes operands and options in any order, with a space or an equals sign`() throws {
        let first = try invocation("voicemail", "download", "--output", "a.wav", "id-1", "--json")
        let second = try invocation("voicemail", "download", "id-1", "--json", "--output=a.wav")
        #expect(first == second)
        #expect(first.operand("ID") == "id-1")
        #expect(first.text("output") == "a.wav")
        #expect(first.json)
    }

    @Test func `takes what every command takes before the command too`() throws {
        let invocation = try invocation("--config", "x.env", "--json", "record", "list")
        #expect(invocation.values["config"] == "x.env")
        #expect(invocation.json)
    }

    @Test func `finds the longest command that fits`() throws {
        #expect(try invocation("rpc", "list").command.path == ["rpc", "list"])
        #expect(try invocation("rpc", "calls/GetCall", "{}").command.path == ["rpc"])
        #expect(try invocation("rpc", "calls/GetCall").operand("JSON") == "")
    }

    @Test func `takes everything after two dashes as operands`() throws {
        #expect(try invocation("record", "show", "--", "--json").operand("RECORD") == "--json")
        #expect(try invocation("rpc", "a/b", "-").operand("JSON") == "-")
    }

    @Test func `keeps an equals sign and emptiness inside a value`() throws {
        #expect(try invocation("voicemail", "download", "x", "--output=a=b").text("output") == "a=b")
        #expect(try invocation("record", "list", "--after", "").text("after") == "")
    }

    @Test(arguments: [
        [], ["record"], ["recrod", "list"], ["record", "lits"], ["record", "list", "--limt", "3"],
        ["record", "list", "-n"],
        ["record", "list", "extra"], ["record", "show"], ["record", "show", "a", "b"], ["record", "list", "--limit"],
        ["record", "list", "--live=yes"], ["record", "list", "--limit", "1", "--limit", "2"],
        ["voicemail", "download", "x"], ["--bogus"], ["--config"], ["record", "list", "---live"],
        ["record", "show", ""], ["record", "list", "--owner", ""], ["voicemail", "download", "x", "--output="],
        ["record", "list", "--owner", "a", "--user", "b"], ["help", "recrod"],
        ["record", "list", "--account", "demo"], ["user", "update", "alice"],
    ])
    func `refuses what fits no command, and shows the usage`(words: [String]) {
        let error = #expect(throws: UsageError.self) { try parser.parse(words) }
        #expect(error?.message.isEmpty == false)
        #expect(error?.usage.contains("usage: bellwire") == true)
    }

    @Test func `shows help for all, for a group and for a command, also when the rest is wrong`() throws {
        #expect(try help("--help").contains("voicemail download"))
        #expect(try help("help").contains("record list"))
        #expect(try help("help", "record", "list") == help("record", "list", "--help"))
        #expect(try help("help", "record") == help("record", "--help"))
        let group = try help("record", "--help")
        #expect(group.contains("record show") && !group.contains("voicemail"))
        let command = try help("voicemail", "download", "--help")
        #expect(command.contains("--output FILE") && command.contains("--json"))
    }

    @Test func `knows an option by its former name`() throws {
        #expect(try invocation("record", "list", "--user", "bob").text("owner") == "bob")
    }

    @Test func `reads numbers and lists`() throws {
        #expect(try invocation("record", "list", "--limit", "12").number("limit") == 12)
        #expect(try invocation("record", "list").number("limit") == nil)
        #expect(try invocation("record", "list", "--topics", "a, b").list("topics") == ["a", "b"])
        #expect(try invocation("record", "list").list("topics").isEmpty)
        #expect(try invocation("record", "list", "--number", "+12025550123").text("number") == "+12025550123")
        #expect(try invocation("record", "list", "--account", "demo", "--owner", "bob").text("account") == "demo")
    }

    @Test(arguments: [
        ("limit", ["0", "100", "-1", "1.5", "many", "4294967296", " 1"]), ("state", ["Completed", "all", ","]),
        ("topics", [",", "a,,b", "a,", " "]),
        (
            "number",
            ["2025550123", "+1 202 555 0123", "+", "+0123", "+1202555o123", "+1234567890123456", "+１２０２５５５０１２３"]
        ),
    ])
    func `refuses values that the option cannot have, and names it`(option: String, values: [String]) {
        for value in values {
            let error = #expect(throws: UsageError.self) {
                try parser.parse(["record", "list", "--\(option)=\(value)"])
            }
            #expect(error?.message.contains("--\(option)") == true, "\(value)")
        }
    }

    @Test func `shows help for -h too`() throws {
        #expect(try help("-h") == help("--help"))
        #expect(try help("record", "-h") == help("record", "--help"))
        #expect(try help("record", "list", "-h") == help("record", "list", "--help"))
    }
}
