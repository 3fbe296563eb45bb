/// How a user wants to be rung, and whether they may call out. Nil: the default for a new user, unchanged for another.
struct UserSettings: Equatable {
    var ringTimeSeconds: Int?
    var ringPolicy: RingPolicy?
    var minimumMessageSeconds: Int?
    var outgoingBarred: Bool?

    static let ringTimeRange = 1...300
    static let defaultRingTime = 30
    /// A message is never longer than three minutes.
    static let minimumMessageRange = 0...180
    static let defaultMinimumMessage = 1
}

/// Which devices ring for a user; the raw values are the database's.
enum RingPolicy: String, CaseIterable {
    case allDevices, newestDevice, decline
}
