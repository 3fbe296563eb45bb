import Bus
import FoundationEssentials
import Glibc
import Observability
import RPC
import Runtime
import Store
import Wire
import WireFormat

/// What every service answers for itself: how it is, what it counted, and that it shall go.
struct RuntimeHandler: RuntimeV1.RuntimeService {
    private let host: ServiceHost
    private let checks: [ReadinessCheck]
    private let stopRequest: StopRequest
    private let started = Timestamp.now

    init(host: ServiceHost, checks: [ReadinessCheck], stopRequest: StopRequest) {
        self.host = host
        self.checks = checks
        self.stopRequest = stopRequest
    }

    func getStatus(_ request: RuntimeV1.GetStatusRequest, context: CallContext) async throws -> RuntimeV1.Status {
        var status = RuntimeV1.Status()
        status.service = host.service
        status.instance = host.instance
        status.version = Version.current
        status.processID = UInt32(getpid())
        status.started = started
        status.live = true
        status.dependencies = dependencies
        status.draining = stopRequest.isRequested
        status.ready = !status.draining && status.dependencies.allSatisfy(\.ready)
        status.slots = host.membership.slots.map(UInt32.init)
        return status
    }

    private var dependencies: [RuntimeV1.Dependency] {
        let database = ReadinessCheck("database") { host.database.isReachable }
        return ([database] + checks).map { check in
            var dependency = RuntimeV1.Dependency()
            dependency.name = check.name
            dependency.ready = check.isReady()
            return dependency
        }
    }

    func getCounters(_ request: RuntimeV1.GetCountersRequest, context: CallContext) async throws -> RuntimeV1.Counters {
        host.counters.gauge("process_open_descriptors").set(RuntimeHandler.openDescriptors())
        var counters = RuntimeV1.Counters()
        counters.counters = host.counters.snapshot()
            .filter { $0.name.hasPrefix(request.prefix) }
            .map { sample in
                var counter = RuntimeV1.Counter()
                counter.name = sample.name
                counter.labels = sample.labels
                counter.value = Int64(sample.value)
                counter.gauge = sample.isGauge
                return counter
            }
        return counters
    }

    func drain(_ request: RuntimeV1.DrainRequest, context: CallContext) async throws -> RuntimeV1.DrainResponse {
        host.logger.notice("asked to drain")
        stopRequest.request()
        return RuntimeV1.DrainResponse()
    }

    /// Those of this process, the one that reads them not counted.
    private static func openDescriptors() -> Int {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return max(0, entries.count - 1)
    }
}
