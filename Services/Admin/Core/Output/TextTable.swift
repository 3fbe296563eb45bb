/// Rows in aligned columns, for people.
public struct TextTable: Sendable, Equatable {
    /// Characters that a cell has where no terminal sets the limit; an id is whole.
    package static let widestCell = 64
    /// What a column keeps however narrow the terminal is.
    private static let narrowestCell = 8

    private let headings: [String]
    private var rows: [[String]] = []

    public init(_ headings: [String]) {
        self.headings = headings
    }

    public mutating func append(_ row: [String]) {
        rows.append(row.map(Self.printable))
    }

    /// Lines without trailing spaces, ending in a line feed. Cells that are too long end in an ellipsis; those of the first
    /// column, which other commands take, never do.
    ///
    /// - Parameter columns: the terminal's; nil: each cell has at most `widestCell`.
    package func text(columns: Int? = nil) -> String {
        let lines = [headings] + rows
        var widths = headings.indices.map { column in
            lines.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
        }
        if let columns {
            while widths.reduce(2 * (widths.count - 1), +) > columns,
                let widest = widths.indices.dropFirst().max(by: { widths[$0] < widths[$1] }),
                widths[widest] > Self.narrowestCell
            {
                widths[widest] -= 1
            }
        } else {
            for column in widths.indices.dropFirst() { widths[column] = min(widths[column], Self.widestCell) }
        }
        return lines.map { Self.line($0, widths: widths) + "\n" }.joined()
    }

    package static func line(_ cells: [String], widths: [Int]) -> String {
        var line = ""
        for (column, whole) in cells.enumerated() {
            let cell = whole.count > widths[column] ? whole.prefix(widths[column] - 1) + "…" : whole[...]
            line += cell
            if column + 1 < cells.count {
                line += String(repeating: " ", count: widths[column] - cell.count + 2)
            }
        }
        return trimmed(line)
    }

    /// Without the spaces at its end.
    static func trimmed(_ line: String) -> String {
        var line = line
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
