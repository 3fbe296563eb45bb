/// How our programs end (sysexits.h).
public enum ExitStatus {
    public static let success: Int32 = 0
    /// The service refused, or could not go on.
    public static let failure: Int32 = 1
    /// Wrong usage of a command.
    public static let usage: Int32 = 64
    /// A service cannot be reached.
    public static let unavailable: Int32 = 69
    /// The output cannot be written.
    public static let output: Int32 = 74
    /// Wrong or unknown configuration.
    public static let configuration: Int32 = 78
}
