/// Which statements one connection has prepared, by their text.
package struct PreparedStatements {
    private var names: [String: String] = [:]
    private var made = 0
    package let limit: Int

    package init(limit: Int = 500) { self.limit = limit }

    package enum Use: Equatable {
        /// Prepared already, or on its way before this use.
        case prepared(String)
        /// To be prepared under that name now.
        case prepare(String)
        /// There are too many different texts already: sent whole each time.
        case unnamed
    }

    package mutating func use(_ text: String) -> Use {
        if let name = names[text] { return .prepared(name) }
        guard names.count < limit else { return .unnamed }
        made += 1
        let name = "s\(made)"
        names[text] = name
        return .prepare(name)
    }

    /// The server does not know it, or its plan has become useless: the next use prepares it under another name.
    package mutating func forget(_ text: String) { names[text] = nil }
}
