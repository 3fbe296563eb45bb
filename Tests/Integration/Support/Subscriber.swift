import Foundation
import Synchronization
import Testing

/// A user with a number; without a phone the one that voicemails are left for.
struct Subscriber {
    let system: BellwireSystem
    let account: String
    let identifier: String
    let identity: String
    let number: String

    private static let next = Atomic<Int>(0)

    /// - Parameter policy: `allDevices`, or `decline` to be diverted at once.
    static func make(
        in system: BellwireSystem, ringSeconds: Int = 1, policy: String = "allDevices", minimumSeconds: Int = 1
    ) async throws -> Subscriber {
        let index = next.wrappingAdd(1, ordering: .relaxed).newValue
        let account = "account\(index)"
        let identity = "user\(index)"
        let number = "+1202555\(String(format: "%04d", index))"
        try await system.json("account", "create", account, "--region", "US")
        let user = try await system.json(
            "user", "create", identity, "--account", account, "--ring-time", "\(ringSeconds)", "--ring-policy", policy,
            "--minimum-message", "\(minimumSeconds)")
        try await system.json("number", "create", number, "--user", identity, "--account", account)
        let identifier = try #require(user.first?["id"] as? String)
        return Subscriber(
            system: system, account: account, identifier: identifier, identity: identity, number: number)
    }

    var records: [[String: Any]] {
        get async throws { try await system.json("record", "list", "--owner", identifier) }
    }

    var voicemails: [[String: Any]] {
        get async throws { try await system.json("voicemail", "list", "--owner", identifier) }
    }

    /// The one voicemail, once it is there.
    func voicemail(within limit: Duration = .seconds(20), sourceLocation: SourceLocation = #_sourceLocation)
        async throws -> [String: Any]
    {
        try await eventually("a voicemail", within: limit, sourceLocation: sourceLocation) {
            try await voicemails.first
        }
    }

    func audio(of voicemail: [String: Any]) async throws -> Recording {
        let identifier = try #require(voicemail["id"] as? String)
        let path = system.folder.file("\(identifier).wav")
        try await system.json("voicemail", "download", identifier, "--output", path)
        return try Recording(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Lets a SIP phone ring for the user.
    func add(phone uri: String) async throws {
        try await system.json("device", "add", uri, "--owner", identifier)
    }

    /// Makes a trunk of the user's account.
    func makeTrunk(_ name: String, host: String, _ more: String...) async throws {
        let arguments = ["trunk", "create", name, "--account", account, "--host", host] + more
        let output = try await system.run(arguments + ["--json"])
        #expect(output.status == 0, "\(output.standardError)")
    }

    /// The one record of a call, once it is in that state.
    func record(_ state: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> [String: Any] {
        try await eventually("a record that is \(state)", sourceLocation: sourceLocation) {
            try await records.first { $0["state"] as? String == state }
        }
    }

    /// A greeting of half a second, so that tests need not hear the default one out.
    func setShortGreeting() async throws {
        let path = system.folder.file("greeting-\(identity).wav")
        try Tone.wav(frequency: 300, seconds: 0.5, rate: 8000).write(to: URL(fileURLWithPath: path))
        try await system.json("greeting", "set", identifier, "--file", path)
    }
}
