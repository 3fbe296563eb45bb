/// The keys a log line may have, beside `time`, `level`, `service`, `instance` and `message`.
public enum LogKey: String, Sendable, CaseIterable {
    case account, address, attempt, bytes, call, caller, callee, child, code, component, connections, count
    case deadline, dependency, dialog, duration, epoch, error, exit, field, file, from, group, host
    case incarnation, key, length, limit, method, migration, number, partition, path, peer, phase, port, position
    case process, reason, record, recording, relay, request, role, side, signal, size, slot, state, status, stream
    case target, termination, to, topic, trace, transport, type, user, version, voicemail, waiting
}
