public import Domain

/// Who a caller says to be.
public enum CallerReading: Hashable, Sendable {
    case number(E164)
    /// The caller withholds the number, or the gateway does not know it.
    case withheld
    /// A name, an extension: shown, never dialled.
    case other(String)
}
