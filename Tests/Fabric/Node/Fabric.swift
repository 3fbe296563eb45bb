public import RPC
public import Store

/// What nodes and their tests agree on.
public enum Fabric {
    public static let service = "calls"
    public static let lease = Duration.seconds(4)
    public static let keys = 20

    /// Who answers? Any instance will do.
    public static let who = method("Who", .any, idempotent: true)
    /// Who owns the slot of this id, as of which epoch? Its owner alone answers.
    public static let own = method("Own", .pinned, idempotent: false)
    /// Writes a line into the instance's file `notes`: something that cannot be taken back.
    public static let note = method("Note", .any, idempotent: false)
    static let descriptor = ServiceDescriptor(name: "test.v1.Fabric", package: service, methods: [who, own, note])

    public static func endpoint(_ name: String, in folder: String) -> Endpoint {
        Endpoint(service: service, instance: name, address: "ipc://\(folder)/\(name).rpc")
    }

    /// Makes the tables that nodes write, beside those of the migrations.
    public static func prepare(_ database: Database) async throws {
        for statement: SQL in [
            "CREATE TABLE calls.thing (key text PRIMARY KEY, version bigint NOT NULL)",
            "INSERT INTO calls.thing SELECT 'k' || n, 0 FROM generate_series(0, \(keys - 1)::int) n",
            "CREATE TABLE calls.done (number bigserial, position bigint, key text, version bigint, who text)",
            "CREATE TABLE calls.act (number bigserial, slot int, epoch bigint, who text)",
        ] {
            try await database.execute(statement)
        }
    }

    private static func method(
        _ name: String, _ routing: MethodDescriptor.Routing, idempotent: Bool
    ) -> MethodDescriptor {
        MethodDescriptor(
            service: "test.v1.Fabric", package: service, name: name, routing: routing,
            pinnedBy: routing == .pinned ? "text" : nil, idempotent: idempotent, defaultDeadline: .seconds(2),
            requestType: FabricText.messageName, responseType: FabricText.messageName)
    }
}
