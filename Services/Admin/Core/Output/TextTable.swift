/// Rows in aligned columns, for people.
public struct TextTable: Sendable, Equatable {
    private let headings: [String]
    private var rows: [[String]] = []

    public init(_ headings: [String]) {
        self.headings = headings
    }

    public mutating func append(_ row: [String]) {
        rows.append(row.map(Self.printable))
    }

    /// Lines without trailing spaces, ending in a line feed.
    public var text: String {
        let lines = [headings] + rows
        let widths = headings.indices.map { column in
            lines.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
        }
        return lines.map { Self.line($0, widths: widths) + "\n" }.joined()
    }

    package static func line(_ cells: [String], widths: [Int]) -> String {
        var line = ""
        for (column, cell) in cells.enumerated() {
            line += cell
            if column + 1 < cells.count {
                line += String(repeating: " ", count: max(0, widths[column] - cell.count) + 2)
            }
        }
        while line.last == " " { line.removeLast() }
        return line
    }

    /// Text from a caller may hold control characters, which a terminal would obey.
    package static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
                        ? "\u{FFFD}" : scalar
                }))
    }
}
