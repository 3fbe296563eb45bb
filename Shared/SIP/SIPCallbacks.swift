internal import CSIP

/// The stack's callbacks: C functions that find the core in their context.
enum SIPCallbacks {
    static let all = csip_callbacks(
        request: { context, server, message in
            guard let server, let message else { return }
            core(context).received(ReceivedRequest(message), on: server)
        },
        transaction: { context, id, event, message in
            let core = core(context)
            guard let message else { return core.timedOut(id) }
            let request = ReceivedRequest(message)
            if event == CSIP_CANCEL { core.cancelled(id, request) } else { core.acknowledged(id, request) }
        },
        response: { context, id, status, message in
            core(context).answered(id, status: Int(status), message.map { ReceivedRequest($0) })
        },
        unclaimed: { context, message in
            guard let message else { return }
            core(context).unclaimed(ReceivedRequest(message))
        },
        wake: { context in
            let core = core(context)
            core.endpoint.drain(core)
            core.refreshCountersNowAndThen()
        },
        may_send: { context in core(context).endpoint.maySend ? 1 : 0 },
        may_receive: { context in core(context).endpoint.mayReceive ? 1 : 0 })

    private static func core(_ context: UnsafeMutableRawPointer?) -> SIPCore {
        guard let context else { preconditionFailure("the stack lost its context") }
        return Unmanaged<SIPCore>.fromOpaque(context).takeUnretainedValue()
    }
}
