import Store
import Wire
import WireFormat

extension DirectoryV1.Account {
    init(row: Row) throws {
        self.init()
        id = try row.string("id")
        name = try row.string("name")
        sipDomain = try row.string("sip_domain")
        region = try row.string("region")
        created = Timestamp(try row.time("created"))
        updated = Timestamp(try row.time("updated"))
    }
}

extension DirectoryV1.User {
    init(row: Row) throws {
        self.init()
        id = try row.string("id")
        accountID = try row.string("account_id")
        identity = try row.string("identity")
        ringTimeSeconds = UInt32(try row.int("ring_time_seconds"))
        ringPolicy = DirectoryV1.RingPolicy(try row.value("ring_policy", as: RingPolicy.self))
        minimumMessageSeconds = UInt32(try row.int("minimum_message_seconds"))
        defaultPersonaID = try row.string("default_persona_id")
        outgoingBarred = try row.bool("outgoing_barred")
        created = Timestamp(try row.time("created"))
        updated = Timestamp(try row.time("updated"))
    }
}

extension DirectoryV1.Persona {
    init(row: Row) throws {
        self.init()
        id = try row.string("id")
        userID = try row.string("user_id")
        name = try row.string("name")
        isDefault = try row.bool("is_default")
        created = Timestamp(try row.time("created"))
    }
}

extension DirectoryV1.PhoneNumber {
    init(row: Row) throws {
        self.init()
        id = try row.string("id")
        phoneNumber = try row.string("phone_number")
        accountID = try row.string("account_id")
        userID = try row.string("user_id")
        personaID = try row.string("persona_id")
        state =
            switch try row.string("state") {
            case "complete": .complete
            case "provisioning": .provisioning
            case "deprovisioning": .deprovisioning
            case "failed": .failed
            default: .unknown
            }
        version = UInt64(try row.int64("version"))
        created = Timestamp(try row.time("created"))
        updated = Timestamp(try row.time("updated"))
    }
}

extension DirectoryV1.Callee {
    init(row: Row) throws {
        self.init()
        accountID = try row.string("account_id")
        userID = try row.string("user_id")
        identity = try row.string("identity")
        personaID = try row.string("persona_id")
        phoneNumberID = try row.optionalString("id") ?? ""
        phoneNumber = try row.optionalString("phone_number") ?? ""
        ringTimeSeconds = UInt32(try row.int("ring_time_seconds"))
        ringPolicy = DirectoryV1.RingPolicy(try row.value("ring_policy", as: RingPolicy.self))
        minimumMessageSeconds = UInt32(try row.int("minimum_message_seconds"))
        region = try row.string("region")
    }
}

extension DirectoryV1.Trunk {
    init(row: Row) throws {
        self.init()
        id = try row.string("id")
        accountID = try row.string("account_id")
        name = try row.string("name")
        host = try row.string("host")
        port = UInt32(try row.int("port"))
        transport = DirectoryV1.Transport(try row.value("transport", as: SIPTransport.self))
        username = try row.optionalString("username") ?? ""
        callerRule = try row.value("caller_rule", as: CallerRule.self) == .fixed ? .fixed : .owned
        callerNumber = try row.optionalString("caller_number") ?? ""
        prefixes = try row.strings("prefixes")
        priority = UInt32(try row.int("priority"))
        created = Timestamp(try row.time("created"))
    }
}

extension DirectoryV1.SIPContact {
    init(row: Row) throws {
        self.init()
        id = try row.string("id")
        accountID = try row.string("account_id")
        userID = try row.string("user_id")
        uri =
            SIPContactAddress(
                user: try row.string("sip_user"), host: try row.string("host"), port: try row.int("port"),
                transport: try row.value("transport")
            ).uri
        created = Timestamp(try row.time("created"))
    }
}

extension DirectoryV1.DeleteResponse {
    init(deleted id: String) {
        self.init()
        self.id = id
    }
}

extension Timestamp {
    init(_ time: StoreTime) {
        self.init(seconds: time.seconds, nanos: time.nanoseconds)
    }
}
