import CLinux
import Glibc
import Synchronization

/// Starts child processes from one lasting thread: a child's death signal is sent when the thread that forked it ends, so
/// that must be no thread of Swift's pool. Ends when released; its children then get their death signals.
public final class ChildSpawner: Sendable {
    private struct Order: Sendable {
        let request: ChildProcessRequest
        let answer: CheckedContinuation<Result<ChildProcess, SystemError>, Never>
    }

    private final class Shared: Sendable {
        let orders = Mutex<[Order]>([])
        let isStopped = Atomic<Bool>(false)
        let wake: EventDescriptor
        let poller: Poller

        init() throws(SystemError) {
            wake = try EventDescriptor()
            poller = try Poller()
            try poller.add(wake.number, .readable, token: 0)
        }
    }

    private let shared: Shared
    private let thread: LoopThread

    public init() throws(SystemError) {
        let shared = try Shared()
        self.shared = shared
        thread = try LoopThread(name: "spawner") { ChildSpawner.loop(shared) }
    }

    deinit {
        shared.isStopped.store(true, ordering: .releasing)
        shared.wake.signal()
    }

    /// Starts a program. Fails with the errno of fork, of the change of user, or of exec.
    public func spawn(_ request: ChildProcessRequest) async throws(SystemError) -> ChildProcess {
        let result = await withCheckedContinuation { continuation in
            shared.orders.withLock { $0.append(Order(request: request, answer: continuation)) }
            shared.wake.signal()
        }
        return try result.get()
    }

    private static func loop(_ shared: Shared) {
        var children: [UInt64: (process: ChildProcess, descriptor: OwnedDescriptor)] = [:]
        var nextToken: UInt64 = 1
        while !shared.isStopped.load(ordering: .acquiring) {
            let events = (try? shared.poller.wait(timeout: .seconds(1))) ?? []
            shared.wake.drain()
            for event in events where event.token != 0 {
                guard let child = children[event.token], child.process.reap() else { continue }
                shared.poller.remove(child.descriptor.number)
                children[event.token] = nil
            }
            let orders = shared.orders.withLock { orders in
                defer { orders = [] }
                return orders
            }
            for order in orders {
                do throws(SystemError) {
                    let process = ChildProcess(identifier: try order.request.start())
                    let descriptor = OwnedDescriptor(
                        try SystemError.check("pidfd_open", bw_process_descriptor(process.identifier)))
                    try shared.poller.add(descriptor.number, .readable, token: nextToken)
                    children[nextToken] = (process, descriptor)
                    nextToken += 1
                    order.answer.resume(returning: .success(process))
                } catch {
                    order.answer.resume(returning: .failure(error))
                }
            }
        }
    }
}

extension ChildProcessRequest {
    /// Forks and executes on the calling thread.
    fileprivate func start() throws(SystemError) -> Int32 {
        var argumentPointers = unsafe ([executable] + arguments).map { unsafe strdup($0) }
        var environmentPointers = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") }
        unsafe argumentPointers.append(nil)
        unsafe environmentPointers.append(nil)
        defer {
            for pointer in unsafe (argumentPointers + environmentPointers) { unsafe free(pointer) }
        }
        let process = unsafe executable.withCString { path in
            unsafe (directory ?? "").withCString { directoryPath in
                unsafe inherited.withUnsafeBufferPointer { descriptors in
                    unsafe argumentPointers.withUnsafeBufferPointer { arguments in
                        unsafe environmentPointers.withUnsafeBufferPointer { environment in
                            var request = unsafe bw_spawn_request(
                                path: path, arguments: arguments.baseAddress, environment: environment.baseAddress,
                                directory: directory == nil ? nil : directoryPath, standard_input: standardInput,
                                standard_output: standardOutput, standard_error: standardError,
                                inherited: descriptors.baseAddress, inherited_count: descriptors.count,
                                changes_user: user != nil, user: user?.user ?? 0, group: user?.group ?? 0,
                                death_signal: deathSignal)
                            return unsafe bw_spawn(&request)
                        }
                    }
                }
            }
        }
        return try SystemError.check("spawn", process)
    }
}
