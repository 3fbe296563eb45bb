import Domain
import RPC
import Runtime
import Store

/// What one instance writes into the cluster's tables.
struct ClusterTables: Sendable {
    let database: Database
    let endpoint: Endpoint
    let incarnation: BellwireID
    let lock: String
    let leaseDuration: Duration

    enum Registration {
        case done
        /// Another process lives under this name, or has not been gone for a lease.
        case taken
    }

    enum Renewal {
        case done
        /// Nobody has our row: it was cleared away while we slept.
        case forgotten
        /// Another process has taken our name.
        case superseded
    }

    private var expiry: SQL { "clock_timestamp() + \(leaseDuration.milliseconds) * interval '1 millisecond'" }

    /// Takes the name. Slots of a predecessor under it become free at once, with their fence raised.
    func register() async throws -> Registration {
        try await database.transaction { transaction in
            let inserted = try await transaction.execute(
                """
                INSERT INTO cluster.instance (service, name, address, incarnation, lock, expires)
                VALUES (\(endpoint.service), \(endpoint.instance), \(endpoint.address), \(incarnation), \(lock), \(expiry))
                ON CONFLICT DO NOTHING
                """)
            if inserted == 1 { return .done }
            // The same lock file, and we hold the lock: the predecessor is gone, whatever its lease says.
            let taken = try await transaction.execute(
                """
                UPDATE cluster.instance
                SET address = \(endpoint.address), events_address = '', incarnation = \(incarnation), lock = \(lock),
                    joined = clock_timestamp(), expires = \(expiry)
                WHERE service = \(endpoint.service) AND name = \(endpoint.instance)
                    AND (expires < clock_timestamp() OR (lock = \(lock) AND lock <> '') OR incarnation = \(incarnation))
                """)
            guard taken == 1 else { return .taken }
            try await transaction.execute(
                "DELETE FROM cluster.member WHERE service = \(endpoint.service) AND name = \(endpoint.instance)")
            _ = try await transaction.query(
                """
                SELECT slot FROM cluster.slot WHERE service = \(endpoint.service) AND name = \(endpoint.instance)
                FOR UPDATE
                """)
            try await transaction.execute(
                """
                UPDATE cluster.slot SET epoch = epoch + 1, service = NULL, name = NULL, incarnation = NULL
                WHERE service = \(endpoint.service) AND name = \(endpoint.instance)
                """)
            return .done
        }
    }

    func renew() async throws -> Renewal {
        let renewed = try await database.execute(
            """
            UPDATE cluster.instance SET expires = \(expiry)
            WHERE service = \(endpoint.service) AND name = \(endpoint.instance) AND incarnation = \(incarnation)
            """)
        if renewed == 1 { return .done }
        let others = try await database.query(
            "SELECT 1 FROM cluster.instance WHERE service = \(endpoint.service) AND name = \(endpoint.instance)")
        return others.isEmpty ? .forgotten : .superseded
    }

    func advertise(eventsAddress: String) async throws {
        try await database.execute(
            """
            UPDATE cluster.instance SET events_address = \(eventsAddress)
            WHERE service = \(endpoint.service) AND name = \(endpoint.instance) AND incarnation = \(incarnation)
            """)
    }

    func join(group: String, slots: Int) async throws {
        try await database.execute(
            """
            INSERT INTO cluster.slot ("group", slot) SELECT \(group)::text, generate_series(0, \(slots - 1)::integer)
            ON CONFLICT DO NOTHING
            """)
        try await database.execute(
            """
            INSERT INTO cluster.member ("group", service, name)
            VALUES (\(group), \(endpoint.service), \(endpoint.instance)) ON CONFLICT DO NOTHING
            """)
    }

    func leave(group: String) async throws {
        try await database.execute(
            """
            DELETE FROM cluster.member
            WHERE "group" = \(group) AND service = \(endpoint.service) AND name = \(endpoint.instance)
            """)
    }

    /// Takes up to `count` slots that nobody has: free ones, those of an instance that left or was started anew, and our
    /// own that we do not know of; those of an instance whose lease ran out only with `expired`.
    ///
    /// A slot in whose fence a transaction stands is passed over until that has ended.
    func claim(
        group: String, slots: Int, count: Int, held: [Int], expired: Bool
    ) async throws -> [SlotLease] {
        let rows = try await database.query(
            """
            WITH free AS (
                SELECT s.slot FROM cluster.slot s
                LEFT JOIN cluster.instance i
                    ON i.service = s.service AND i.name = s.name AND i.incarnation = s.incarnation
                WHERE s."group" = \(group) AND s.slot < \(slots) AND NOT s.slot = ANY (\(held)::integer[])
                    AND (i.name IS NULL OR (\(expired)::boolean AND i.expires < clock_timestamp())
                        OR s.incarnation = \(incarnation)::uuid)
                ORDER BY s.incarnation IS NOT DISTINCT FROM \(incarnation)::uuid DESC, s.slot LIMIT \(count)
                FOR UPDATE OF s SKIP LOCKED
            )
            UPDATE cluster.slot s
            SET epoch = s.epoch + 1, service = \(endpoint.service), name = \(endpoint.instance),
                incarnation = \(incarnation)::uuid
            FROM free WHERE s."group" = \(group) AND s.slot = free.slot
            RETURNING s.slot, s.epoch
            """)
        return try rows.map { SlotLease(group: group, slot: try $0.int("slot"), epoch: try $0.int64("epoch")) }
    }

    func release(_ leases: [SlotLease]) async throws {
        for lease in leases {
            try await database.execute(
                """
                UPDATE cluster.slot SET service = NULL, name = NULL, incarnation = NULL
                WHERE "group" = \(lease.group) AND slot = \(lease.slot) AND epoch = \(lease.epoch)
                """)
        }
    }

    /// Leaves for good.
    func deregister() async throws {
        try await database.execute(
            """
            DELETE FROM cluster.instance
            WHERE service = \(endpoint.service) AND name = \(endpoint.instance) AND incarnation = \(incarnation)
            """)
    }

    /// Rows of instances that are long gone.
    func clearAway() async throws {
        try await database.execute(
            """
            DELETE FROM cluster.instance
            WHERE expires < clock_timestamp() - \(leaseDuration.milliseconds * 10) * interval '1 millisecond'
            """)
    }
}
