/// `bellwire.env`: how the CLI finds a running system.
package enum EnvironmentFile {
    package static let name = "bellwire.env"

    package static func text(_ values: [String: String]) -> String {
        "# Written by `bellwire up`; read by the other commands. Holds the database's password.\n"
            + values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)\n" }.joined()
    }
}
