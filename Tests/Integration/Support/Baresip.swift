import Foundation
import Testing

/// A call that baresip makes, with a WAV as its microphone and what it heard in a file.
struct Baresip {
    let system: BellwireSystem
    let number: String
    /// The WAV it speaks.
    let microphone: String
    /// `pcmu`, `pcma` or `opus`.
    var codec = "pcmu"
    /// How long it stays; it hangs up with BYE.
    let seconds: Int
    /// Whom it calls; nil: the system's address.
    var server: String?

    /// What it sent and what it received, both as baresip wrote them.
    struct Heard {
        let sent: Recording
        let received: Recording
    }

    func run() async throws -> Heard {
        let folder = system.folder.file("baresip-\(UUID().uuidString)")
        let address = BellwireSystem.freshAddress()
        try Baresip.configure(
            folder, listen: "\(address):5062", account: "sip:caller@\(address)", codec: codec, microphone: microphone)
        let program = try await Program.start(
            "/usr/bin/baresip",
            ["-f", folder, "-v", "-e", "/dial sip:\(number)@\(server ?? system.address):5060", "-t", "\(seconds)"],
            in: system.folder, name: URL(fileURLWithPath: folder).lastPathComponent)
        let output = await program.finish(within: .seconds(seconds + 30))
        #expect(output.status == 0, "baresip: \(output.standardError.suffix(1000))")
        return try Heard(in: folder)
    }

    /// Writes what a baresip without a window, loudspeaker and microphone needs.
    ///
    /// - Parameter account: a SIP address, with parameters behind it.
    static func configure(
        _ folder: String, listen: String, account: String, parameters: String = "", codec: String, microphone: String
    ) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let codecs = ["pcmu": "PCMU/8000/1", "pcma": "PCMA/8000/1", "opus": "opus/48000/2"]
        let config = """
            sip_listen \(listen)
            net_interface \(listen.prefix { $0 != ":" })
            module_path /usr/lib/baresip/modules
            module g711.so
            module opus.so
            module aufile.so
            module aubridge.so
            module sndfile.so
            module_tmp account.so
            module_app menu.so
            audio_source aufile,\(microphone)
            audio_player aubridge,sink
            snd_path \(folder)
            """
        try (config + "\n").write(toFile: folder + "/config", atomically: true, encoding: .utf8)
        let line = "<\(account)>;regint=0\(parameters);audio_codecs=\(codecs[codec]!)\n"
        try line.write(toFile: folder + "/accounts", atomically: true, encoding: .utf8)
        try "".write(toFile: folder + "/contacts", atomically: true, encoding: .utf8)
    }
}

extension Baresip.Heard {
    /// What a baresip that has ended left in its folder.
    init(in folder: String) throws {
        self.init(sent: try Self.dump("enc", in: folder), received: try Self.dump("dec", in: folder))
    }

    private static func dump(_ direction: String, in folder: String) throws -> Recording {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let name = try #require(names.first { $0.hasPrefix("dump-") && $0.hasSuffix("-\(direction).wav") })
        return try Recording(try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)))
    }
}
