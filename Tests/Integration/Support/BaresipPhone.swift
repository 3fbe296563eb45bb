import Foundation
import Testing

/// A phone that takes every call at once, with a WAV as its microphone and what it heard in a file.
struct BaresipPhone {
    let address = BellwireSystem.freshAddress()
    private let folder: String
    private let program: Program

    /// - Parameter seconds: how long it is there; then it hangs up.
    init(in folder: Folder, microphone: String, codec: String = "pcmu", seconds: Int) async throws {
        self.folder = folder.file("phone-\(UUID().uuidString)")
        try Baresip.configure(
            self.folder, listen: "\(address):5060", account: "sip:phone@\(address)", parameters: ";answermode=auto",
            codec: codec, microphone: microphone)
        program = try await Program.start(
            "/usr/bin/baresip", ["-f", self.folder, "-v", "-t", "\(seconds)"], in: folder,
            name: URL(fileURLWithPath: self.folder).lastPathComponent)
        let address = address
        _ = try await eventually("a listening phone") { ProcessTable.listens(address, 5060) ? true : nil }
    }

    var uri: String { "sip:phone@\(address):5060" }

    /// What it sent and heard, once its time is over.
    func heard() async throws -> Baresip.Heard {
        let output = await program.finish(within: .seconds(120))
        #expect(output.status == 0, "baresip: \(output.standardError.suffix(1000))")
        return try Baresip.Heard(in: folder)
    }
}
