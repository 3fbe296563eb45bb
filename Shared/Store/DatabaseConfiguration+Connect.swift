import Runtime

extension DatabaseConfiguration {
    /// libpq's keywords. The URL comes first; what follows replaces what it says.
    var connectParameters: [(String, String)] {
        var options = [
            "-c DateStyle=ISO", "-c TimeZone=UTC", "-c IntervalStyle=postgres", "-c bytea_output=hex",
            "-c statement_timeout=\(statementTimeout.milliseconds)",
            "-c idle_in_transaction_session_timeout=\(idleTransactionTimeout.milliseconds)",
        ]
        if let role { options.append("-c role=\(role)") }
        return [
            ("dbname", url),
            ("application_name", applicationName),
            ("client_encoding", "UTF8"),
            ("options", options.joined(separator: " ")),
            // Notices a peer that vanished without a word.
            ("keepalives_idle", "5"), ("keepalives_interval", "2"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "10000"),
        ]
    }
}
