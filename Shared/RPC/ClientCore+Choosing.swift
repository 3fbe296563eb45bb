extension ClientCore {
    /// The instance for a call, by the method's routing.
    func choose(for call: OutgoingCall) throws(RPCError) -> ClientConnection {
        services.insert(call.service)
        if let instance = call.instance {
            guard let endpoint = resolver.instances(of: call.service).first(where: { $0.instance == instance }) else {
                throw RPCError(.unavailable, "no instance \(call.service)/\(instance) is known", hint: .notSent)
            }
            return try connection(to: endpoint)
        }
        if let slot = call.slot {
            guard let endpoint = resolver.owner(of: call.service, slot: slot) else {
                throw RPCError(.unavailable, "no instance of \(call.service) owns slot \(slot)", hint: .notSent)
            }
            return try connection(to: endpoint)
        }
        return try leastLoaded(call)
    }

    /// True when `any` has an instance left beside the one that failed.
    func hasAnother(for call: OutgoingCall) -> Bool {
        resolver.instances(of: call.service).contains { endpoint in
            guard endpoint != call.avoided, let connection = connections[endpoint] else { return false }
            return connection.isUp && !connection.isDraining
        }
    }

    /// Connected ones first, then those with the fewest outstanding calls; ties in turn. Those that cannot be connected
    /// to at all - their key is not allowed - are as if they were not there: one bad instance must not take the service
    /// away.
    private func leastLoaded(_ call: OutgoingCall) throws(RPCError) -> ClientConnection {
        let endpoints = resolver.instances(of: call.service)
        var best: ClientConnection?
        var bestRank = Int.max
        var refusal: RPCError?
        rotation &+= 1
        for index in endpoints.indices {
            let endpoint = endpoints[(index &+ rotation) % endpoints.count]
            let candidate: ClientConnection
            do throws(RPCError) {
                candidate = try connection(to: endpoint)
            } catch {
                refusal = error
                continue
            }
            var rank = candidate.outstanding
            if candidate.isStale { rank += 1 << 32 }
            if !candidate.isUp { rank += 1 << 33 }
            if candidate.isDraining { rank += 1 << 34 }
            if endpoint == call.avoided { rank += 1 << 35 }
            if rank < bestRank { (best, bestRank) = (candidate, rank) }
        }
        guard let best else {
            throw refusal ?? RPCError(.unavailable, "no instance of \(call.service) is known", hint: .notSent)
        }
        return best
    }
}
