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

    /// What it sent and what it received, both as baresip wrote them.
    struct Heard {
        let sent: Recording
        let received: Recording
    }

    func run() async throws -> Heard {
        let folder = system.folder.file("baresip-\(UUID().uuidString)")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let address = BellwireSystem.freshAddress()
        let codecs = ["pcmu": "PCMU/8000/1", "pcma": "PCMA/8000/1", "opus": "opus/48000/2"]
        let config = """
            sip_listen \(address):5062
            net_interface \(address)
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
        let account = "<sip:caller@\(address)>;regint=0;audio_codecs=\(codecs[codec]!)\n"
        try account.write(toFile: folder + "/accounts", atomically: true, encoding: .utf8)
        try "".write(toFile: folder + "/contacts", atomically: true, encoding: .utf8)
        let program = try await Program.start(
            "/usr/bin/baresip",
            ["-f", folder, "-v", "-e", "/dial sip:\(number)@\(system.address):5060", "-t", "\(seconds)"],
            in: system.folder, name: URL(fileURLWithPath: folder).lastPathComponent)
        let output = await program.finish(within: .seconds(seconds + 30))
        #expect(output.status == 0, "baresip: \(output.standardError.suffix(1000))")
        return Heard(sent: try dump("enc", in: folder), received: try dump("dec", in: folder))
    }

    private func dump(_ direction: String, in folder: String) throws -> Recording {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let name = try #require(names.first { $0.hasPrefix("dump-") && $0.hasSuffix("-\(direction).wav") })
        return try Recording(try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)))
    }
}
