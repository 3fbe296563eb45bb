import Domain
import Numbering
import RPC
import Wire

/// What a trunk is made of, checked.
struct TrunkSettings {
    private static let maximumPrefixes = 100
    private static let priorities: ClosedRange<UInt32> = 0...1000

    let name: AccountName
    let host: SIPDomain
    let port: Int
    let transport: SIPTransport
    let username: String?
    let password: String?
    let callerRule: CallerRule
    let callerNumber: E164?
    let prefixes: [String]
    let priority: Int

    /// - Parameter region: where a caller number without a plus is read.
    init(_ request: DirectoryV1.CreateTrunkRequest, region: Region?) throws(RPCError) {
        guard let name = AccountName(request.name) else {
            throw Refusal.invalid("name: 1 to 63 of A-Z a-z 0-9 . _ -, beginning with a letter or digit, and not an id")
        }
        guard let host = SIPDomain(request.host) else { throw Refusal.invalid("host: not a host name or IPv4 address") }
        guard request.port <= 65_535 else { throw Refusal.invalid("port: 1 to 65535") }
        guard request.username.isEmpty == request.password.isEmpty else {
            throw Refusal.invalid("username and password: both or none")
        }
        guard TrunkSettings.isText(request.username), TrunkSettings.isText(request.password) else {
            throw Refusal.invalid("username and password: at most 128 characters, no control characters, no quotes")
        }
        guard TrunkSettings.priorities.contains(request.priority) else { throw Refusal.invalid("priority: 0 to 1000") }
        guard request.prefixes.count <= TrunkSettings.maximumPrefixes,
            request.prefixes.allSatisfy(TrunkSettings.isPrefix)
        else { throw Refusal.invalid("prefixes: at most 100, each a plus and 1 to 15 digits") }
        self.name = name
        self.host = host
        port = request.port == 0 ? SIPContactAddress.defaultPort : Int(request.port)
        transport = try SIPTransport(request.transport)
        username = request.username.isEmpty ? nil : request.username
        password = request.password.isEmpty ? nil : request.password
        prefixes = request.prefixes
        priority = Int(request.priority)
        switch request.callerRule {
        case .unspecified, .owned: callerRule = .owned
        case .fixed: callerRule = .fixed
        case .unrecognized: throw Refusal.invalid("callerRule: unknown")
        }
        guard !request.callerNumber.isEmpty else {
            guard callerRule == .owned else {
                throw Refusal.invalid("callerNumber: missing; it is what every caller is to be seen with")
            }
            callerNumber = nil
            return
        }
        guard let number = NumberingPlan(region: region).read(request.callerNumber).number else {
            throw Refusal.invalid("callerNumber: not a telephone number")
        }
        callerNumber = number
    }

    private static func isText(_ text: String) -> Bool {
        text.unicodeScalars.count <= 128
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control && $0 != "\"" && $0 != "\\" }
    }

    private static func isPrefix(_ text: String) -> Bool {
        text.first == "+" && (2...16).contains(text.utf8.count)
            && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }
}

/// What number a call through a trunk shows; the raw values are the database's.
enum CallerRule: String {
    case owned, fixed
}
