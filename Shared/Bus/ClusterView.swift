import Domain
import RPC
import Store

/// What the cluster's tables say at one moment.
struct ClusterView: Sendable {
    struct Instance: Sendable {
        let endpoint: Endpoint
        let eventsAddress: String
        let incarnation: BellwireID
        /// By PostgreSQL's clock.
        let isLive: Bool
        var key: String { "\(endpoint.service)/\(endpoint.instance)" }
    }

    struct SlotKey: Hashable, Sendable {
        let group: String
        let slot: Int
    }

    struct SlotState: Sendable {
        let epoch: Int64
        /// `service/name`; nil: free.
        let owner: String?
        let incarnation: BellwireID?
    }

    var instances: [String: Instance] = [:]
    var members: [String: [String]] = [:]
    var slots: [SlotKey: SlotState] = [:]

    static func read(_ database: Database) async throws -> ClusterView {
        async let instanceRows = database.query(
            """
            SELECT service, name, address, events_address, incarnation, expires > clock_timestamp() AS live
            FROM cluster.instance
            """)
        async let memberRows = database.query(#"SELECT "group", service, name FROM cluster.member"#)
        async let slotRows = database.query(
            #"SELECT "group", slot, epoch, service, name, incarnation FROM cluster.slot"#)
        var view = ClusterView()
        for row in try await instanceRows {
            let endpoint = Endpoint(
                service: try row.string("service"), instance: try row.string("name"),
                address: try row.string("address"))
            let instance = Instance(
                endpoint: endpoint, eventsAddress: try row.string("events_address"),
                incarnation: try row.id("incarnation"), isLive: try row.bool("live"))
            view.instances[instance.key] = instance
        }
        for row in try await memberRows {
            view.members[try row.string("group"), default: []].append(
                "\(try row.string("service"))/\(try row.string("name"))")
        }
        for row in try await slotRows {
            let service = try row.optionalString("service")
            let name = try row.optionalString("name")
            view.slots[SlotKey(group: try row.string("group"), slot: try row.int("slot"))] = SlotState(
                epoch: try row.int64("epoch"), owner: service.flatMap { service in name.map { "\(service)/\($0)" } },
                incarnation: try row.optionalID("incarnation"))
        }
        return view
    }

    /// The owner, unless it is gone or has been started anew since.
    func owner(_ key: SlotKey) -> Instance? {
        guard let state = slots[key], let owner = state.owner, let instance = instances[owner],
            instance.incarnation == state.incarnation
        else { return nil }
        return instance
    }
}
