/// Text formatting for tables.
enum TextTable {
    /// Returns the rows with aligned columns: words are left-aligned, numbers right-aligned.
    ///
    /// - Parameter words: Indices of the columns that contain words.
    static func text(_ rows: [[String]], words: Set<Int>) -> String {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? LogWrapping.columns($0[column]) : 0 }.max() ?? 0
        }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                let count = max(0, widths[column] - LogWrapping.columns(cell))
                let padding = String(repeating: " ", count: count)
                return words.contains(column) ? cell + padding : padding + cell
            }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }
}
