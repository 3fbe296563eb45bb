/// Reads a listing page by page and shows it.
package struct Pages {
    /// At most so many; nil: all.
    package let limit: UInt32?
    /// Goes on after this token.
    package let after: String

    package init(limit: UInt32?, after: String) {
        self.limit = limit
        self.after = after
    }

    private static let pageSize: UInt32 = 200

    /// - Parameter fetch: gives a page of at most that many after the token, and the next token ("" at the end).
    package func show<Item: Presentable>(
        on output: Output, fetch: (_ limit: UInt32, _ after: String) async throws -> (items: [Item], next: String)
    ) async throws {
        var table = TextTable(Item.headings)
        var token = after
        var left = limit ?? .max
        repeat {
            let page = try await fetch(min(left, Self.pageSize), token)
            for item in page.items {
                if output.json { try output.line(.object(item.fields)) } else { table.append(item.row) }
            }
            left -= min(left, UInt32(page.items.count))
            token = page.next
        } while !token.isEmpty && left > 0
        if !output.json { try output.table(table) }
        if !token.isEmpty { output.note("there is more: --after \(token)", [.init("next", .string(token))]) }
    }
}
