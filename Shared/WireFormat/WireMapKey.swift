/// The scalars that may be a map's key. In JSON every key is a string.
public protocol WireMapKey: WireValue, Hashable {
    init?(jsonKey: String)
    var jsonKey: String { get }

    /// The order in which a map's entries are written.
    static func comesFirst(_ left: Self, _ right: Self) -> Bool
}
