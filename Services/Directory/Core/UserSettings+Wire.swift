import RPC
import Wire

extension UserSettings {
    init(_ request: DirectoryV1.CreateUserRequest) throws(RPCError) {
        try self.init(request.ringTimeSeconds, request.ringPolicy, request.minimumMessageSeconds)
        outgoingBarred = request.outgoingBarred
    }

    init(_ request: DirectoryV1.UpdateUserRequest) throws(RPCError) {
        try self.init(request.ringTimeSeconds, request.ringPolicy, request.minimumMessageSeconds)
        outgoingBarred = request.outgoingBarred
    }

    private init(
        _ ringTime: UInt32?, _ policy: DirectoryV1.RingPolicy, _ minimumMessage: UInt32?
    ) throws(RPCError) {
        if let ringTime, !UserSettings.ringTimeRange.contains(Int(ringTime)) {
            throw Refusal.invalid("ringTimeSeconds: 1 to 300")
        }
        if let minimumMessage, !UserSettings.minimumMessageRange.contains(Int(minimumMessage)) {
            throw Refusal.invalid("minimumMessageSeconds: 0 to 180")
        }
        ringTimeSeconds = ringTime.map(Int.init)
        minimumMessageSeconds = minimumMessage.map(Int.init)
        switch policy {
        case .unspecified: ringPolicy = nil
        case .allDevices: ringPolicy = .allDevices
        case .newestDevice: ringPolicy = .newestDevice
        case .decline: ringPolicy = .decline
        case .unrecognized: throw Refusal.invalid("ringPolicy: unknown")
        }
    }
}

extension DirectoryV1.RingPolicy {
    init(_ policy: RingPolicy) {
        switch policy {
        case .allDevices: self = .allDevices
        case .newestDevice: self = .newestDevice
        case .decline: self = .decline
        }
    }
}
