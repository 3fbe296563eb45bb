import Domain
import Store
import Wire

/// A trunk as far as the choice of one goes.
struct TrunkChoice: Sendable {
    let id: String
    let prefixes: [String]
    let priority: Int
    let callerRule: CallerRule
    let callerNumber: String?
    let route: DirectoryV1.TrunkRoute

    init(row: Row) throws {
        var route = DirectoryV1.TrunkRoute()
        route.trunkID = try row.string("id")
        route.host = try row.string("host")
        route.port = UInt32(try row.int("port"))
        route.transport = DirectoryV1.Transport(try row.value("transport", as: SIPTransport.self))
        route.username = try row.optionalString("username") ?? ""
        route.password = try row.optionalString("password") ?? ""
        id = route.trunkID
        prefixes = try row.strings("prefixes")
        priority = try row.int("priority")
        callerRule = try row.value("caller_rule")
        callerNumber = try row.optionalString("caller_number")
        self.route = route
    }

    /// How many characters of the number a prefix of the trunk names: 0 for a trunk that takes all, nil for none.
    func match(_ number: E164) -> Int? {
        prefixes.isEmpty ? 0 : prefixes.filter { number.description.hasPrefix($0) }.map(\.utf8.count).max()
    }

    /// The trunks that take a number, the best first: the longest prefix, then the priority, then the older.
    static func order(_ trunks: [TrunkChoice], for number: E164) -> [TrunkChoice] {
        trunks.compactMap { trunk in trunk.match(number).map { (trunk, $0) } }
            .sorted { ($1.1, $0.0.priority, $0.0.id) < ($0.1, $1.0.priority, $1.0.id) }
            .map(\.0)
    }

    /// The way through this trunk for a caller with that number of their own; nil when it has no number to show.
    func route(ownNumber: String?) -> DirectoryV1.TrunkRoute? {
        let number =
            switch callerRule {
            case .owned: ownNumber ?? callerNumber
            case .fixed: callerNumber
            }
        guard let number else { return nil }
        var route = route
        route.callerNumber = number
        return route
    }
}
