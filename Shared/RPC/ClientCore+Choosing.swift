extension ClientCore {
    /// The instance for a call, by the method's routing.
    func choose(for call: OutgoingCall) throws(RPCError) -> ClientConnection {
        if let instance = call.instance {
            services.insert(call.service)
            guard let endpoint = resolver.instances(of: call.service).first(where: { $0.instance == instance }) else {
                throw RPCError(.unavailable, "no instance \(call.service)/\(instance) is known", hint: .notSent)
            }
            return try connection(to: endpoint)
        }
        if let slot = call.slot {
            services.insert(call.service)
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

    /// Connected ones first, then those with the fewest outstanding calls; ties in turn.
    private func leastLoaded(_ call: OutgoingCall) throws(RPCError) -> ClientConnection {
        let candidates = try route(to: call.service)
        if candidates.count == 1 { return candidates[0] }
        var best: ClientConnection?
        var bestRank = Int.max
        rotation &+= 1
        for index in candidates.indices {
            let candidate = candidates[(index &+ rotation) % candidates.count]
            var rank = candidate.outstanding
            if candidate.isStale { rank += 1 << 32 }
            if !candidate.isUp { rank += 1 << 33 }
            if candidate.isDraining { rank += 1 << 34 }
            if candidate.endpoint == call.avoided { rank += 1 << 35 }
            if rank < bestRank { (best, bestRank) = (candidate, rank) }
        }
        guard let best else {
            throw RPCError(.unavailable, "no instance of \(call.service) is known", hint: .notSent)
        }
        return best
    }

    /// Connections to all instances of a service. Looking them up by their endpoints costs more than the rest of a call's
    /// way, and instances change seldom. Those that cannot be connected to at all - their key is not allowed - are as if
    /// they were not there, until it is: one bad instance must not take the service away.
    private func route(to service: String) throws(RPCError) -> [ClientConnection] {
        let instances = resolver.instances(of: service)
        if let known = routes[service], known.instances == instances { return known.connections }
        services.insert(service)
        var connections: [ClientConnection] = []
        var refusal: RPCError?
        for endpoint in instances {
            do throws(RPCError) {
                connections.append(try connection(to: endpoint))
            } catch {
                refusal = error
            }
        }
        guard let refusal else {
            routes[service] = Route(instances: instances, connections: connections)
            return connections
        }
        if connections.isEmpty { throw refusal }
        return connections
    }
}
