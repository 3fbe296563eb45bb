package import Domain
package import Observability
package import Runtime
import Synchronization

/// rtpengine, driven over its ng protocol (JSON over UDP). It is asked every second whether it is there.
package final class RTPEngineRelay: MediaRelay, Component {
    package let name = "relay"

    private static let pingInterval: Duration = .seconds(1)
    /// Once a side's address is known, packets from elsewhere do not enter the call. When a side moves to another address, the
    /// other one, which is not always told, is still heard where it sends to and sent to from there.
    private static let flags = ["strict source", "port latching"]

    private let transport: NGTransport
    private let logger: Logger
    private let requestDeadline: Duration
    private let ready: Gauge
    private struct Health {
        var isReady = false
        var isStopped = false
        var watch: Task<Void, Never>?
    }
    private let health = Mutex(Health())

    /// - Parameters:
    ///   - labels: which one this is, where there are several.
    ///   - host: a dotted IPv4 address, with the port of rtpengine's `--listen-ng`.
    package init(
        host: String, port: UInt16, requestDeadline: Duration = .seconds(2), labels: [String: String] = [:],
        logger: Logger, counters: Counters
    ) throws(SystemError) {
        transport = try NGTransport(host: host, port: port, counters: counters)
        self.logger = logger
        self.requestDeadline = requestDeadline
        ready = counters.gauge("relay_ready", labels)
    }

    /// A relay that is not there is no reason not to start: calls are refused until it is.
    package func start() async throws {
        try transport.start()
        await ping()
        let task = Task { [weak self] in
            while !Task.isCancelled {
                try? await Task.sleep(for: RTPEngineRelay.pingInterval)
                await self?.ping()
            }
        }
        health.withLock { $0.watch = task }
    }

    package func stop() async {
        let watch = health.withLock { health in
            health.isStopped = true
            return health.watch
        }
        watch?.cancel()
        transport.stop()
    }

    /// As last seen; at most one ping interval and one ping old.
    package var wasReady: Bool { health.withLock { $0.isReady } }

    /// Asks anew for each call: a relay that died a moment ago must not let a caller ring.
    package func isReady() async -> Bool {
        await ping()
        return wasReady
    }

    private func ping() async {
        let answer = try? await transport.ask(NGRequest(.ping), deadline: .milliseconds(900))
        let isReady = answer?.result == "pong"
        let changed = health.withLock { health in
            defer { health.isReady = isReady }
            // A question that our own stop cuts off says nothing about the relay.
            return health.isReady != isReady && !health.isStopped
        }
        ready.set(isReady ? 1 : 0)
        guard changed else { return }
        if isReady { logger.info("relay is there") } else { logger.warning("relay does not answer") }
    }

    package func offer(_ sdp: String, for session: RelaySession) async throws(RelayError) -> String {
        var request = NGRequest(.offer)
        request.callID = session.call.description
        request.fromTag = session.callerTag
        request.toTag = session.isEstablished ? session.calleeTag : nil
        request.sdp = sdp
        // Voicemail speaks plain RTP without ICE; the relay keeps what the caller speaks towards the caller.
        request.ice = "remove"
        request.transport = "RTP/AVP"
        request.rtcpMux = ["demux"]
        request.replace = ["origin"]
        request.flags = RTPEngineRelay.flags
        return try await describe(request)
    }

    package func answer(_ sdp: String, for session: RelaySession) async throws(RelayError) -> String {
        var request = NGRequest(.answer)
        request.callID = session.call.description
        request.fromTag = session.callerTag
        request.toTag = session.calleeTag
        request.sdp = sdp
        request.replace = ["origin"]
        request.flags = RTPEngineRelay.flags
        return try await describe(request)
    }

    package func delete(_ call: BellwireID) async throws(RelayError) {
        var request = NGRequest(.delete)
        request.callID = call.description
        request.deleteDelay = 0
        let response = try await transport.ask(request, deadline: requestDeadline)
        // Unknown calls come back as a warning, or as an error that says so.
        if response.result == "error", !response.isUnknownCall { throw .refused }
    }

    package func packets(of call: BellwireID) async throws(RelayError) -> UInt64? {
        var request = NGRequest(.query)
        request.callID = call.description
        let response = try await transport.ask(request, deadline: requestDeadline)
        if response.result == "ok" { return response.totals?.rtp?.packets ?? 0 }
        if response.isUnknownCall { return nil }
        throw .refused
    }

    package func sessions() async throws(RelayError) -> [BellwireID] {
        var request = NGRequest(.list)
        request.limit = "10000"
        let response = try await transport.ask(request, deadline: requestDeadline)
        guard response.result == "ok" else { throw .refused }
        return (response.calls ?? []).compactMap { BellwireID($0) }
    }

    private func describe(_ request: NGRequest) async throws(RelayError) -> String {
        let response = try await transport.ask(request, deadline: requestDeadline)
        if let sdp = response.sdp, response.result == "ok" { return sdp }
        throw response.isUnknownCall ? .unknownSession : .refused
    }
}
