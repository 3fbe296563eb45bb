package import Runtime

/// Where rtpengine takes its control messages.
package enum RelayAddress {
    private static let defaultPort: UInt16 = 2223

    /// `ADDRESS:PORT`, several of them with commas between them; the port may be left out.
    package static func read(
        _ configuration: Configuration, defaultHost: String
    ) throws(ConfigurationError) -> [(host: String, port: UInt16)] {
        guard let text = configuration.string(.rtpengine) else { return [(defaultHost, defaultPort)] }
        var addresses: [(host: String, port: UInt16)] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let address = address(part.filter { $0 != " " }),
                !addresses.contains(where: { $0 == address })
            else {
                throw ConfigurationError(
                    key: ConfigurationKey.rtpengine.variable, problem: "must be ADDRESS:PORT, or several different ones"
                )
            }
            addresses.append(address)
        }
        return addresses
    }

    private static func address(_ text: String) -> (host: String, port: UInt16)? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count == 1, !text.isEmpty { return (text, defaultPort) }
        guard parts.count == 2, !parts[0].isEmpty, let port = UInt16(parts[1]), port > 0 else { return nil }
        return (String(parts[0]), port)
    }
}
