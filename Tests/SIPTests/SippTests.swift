import Foundation
import SIP
import Testing

/// Calls of a SIP client that is not ours.
@Suite(.serialized, .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sipp")))
struct SippTests {
    @Test("sipp completes 300 calls at 200 a second over UDP and TCP", arguments: ["u1", "t1"])
    func calls(transport: String) async throws {
        let answer: Harness.Reaction = { event, endpoint in
            guard case .invite(let invite) = event else { return }
            endpoint.respond(to: invite.transaction, SIPResponse(180))
            endpoint.respond(to: invite.transaction, SIPResponse(200, body: .sdp(Call.offer)))
        }
        try await Harness.run(reaction: answer) { harness in
            let status = try await run([
                "-sn", "uac", "127.0.0.1:\(harness.endpoint.port)", "-i", "127.0.0.1", "-t", transport, "-m", "300",
                "-r", "200", "-d", "50", "-timeout", "20", "-timeout_error", "-nostdin",
            ])
            #expect(status == 0)
            #expect(await harness.statisticsAtRest() == SIPStatistics())
            #expect(harness.count("sip_requests_total", ["method": "BYE"]) == 300)
        }
    }

    private func run(_ arguments: [String]) async throws -> Int32 {
        let sipp = Process()
        sipp.executableURL = URL(fileURLWithPath: "/usr/bin/sipp")
        sipp.arguments = arguments
        sipp.currentDirectoryURL = FileManager.default.temporaryDirectory
        sipp.standardOutput = FileHandle.nullDevice
        sipp.standardError = FileHandle.nullDevice
        sipp.standardInput = FileHandle.nullDevice
        return try await withCheckedThrowingContinuation { continuation in
            sipp.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try sipp.run() } catch { continuation.resume(throwing: error) }
        }
    }
}
