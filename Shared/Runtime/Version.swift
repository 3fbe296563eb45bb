/// The version of this build, shown by every executable and by `bellwire status`.
public enum Version {
    public static let current = "0.1.0"
}
