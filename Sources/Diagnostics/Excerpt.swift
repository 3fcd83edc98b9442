/// A source line as displayed, and the position of the carets below it.
struct Excerpt {
    static let tabColumns = 4
    /// The maximum number of bytes shown before and after the start of the marked range.
    static let bytesMax = 4096

    /// The part of the line that is displayed.
    let text: String
    /// Number of columns before the first caret.
    let markColumn: Int
    /// Number of carets, at least 1.
    let markWidth: Int

    init(_ location: DiagnosticLocation, columnsMax: Int) {
        let cells = Self.cells(of: location)
        let range = location.range
        let before = cells.count { $0.end <= range.start }
        let through = max(before, cells.count { $0.start < range.end })
        let window = Self.window(cells, before: before, through: through, columnsMax: columnsMax)
        let shown = cells[window].map(\.text).joined()
        let head = window.lowerBound > 0 ? "…" : ""
        let tail = window.upperBound < cells.count ? "…" : ""
        text = String((head + shown + tail).reversed().drop { $0 == " " }.reversed())
        let marked = before..<max(before, min(through, window.upperBound))
        markColumn =
            (head.isEmpty ? 0 : 1)
            + Self.width(of: cells[window.lowerBound..<max(before, window.lowerBound)])
        markWidth = max(1, Self.width(of: cells[marked]))
    }

    private struct Cell {
        var text: String
        var width: Int
        var start: Int
        var end: Int
    }

    private static func cells(of location: DiagnosticLocation) -> [Cell] {
        let source = location.source
        let line = source.range(ofLine: source.line(at: location.range.start))
        var start = max(line.start, location.range.start - bytesMax)
        while start > line.start, source.bytes[start] & 0xC0 == 0x80 { start -= 1 }
        let end = min(line.end, location.range.start + bytesMax)
        var cells: [Cell] = []
        var offset = start
        var column = 0
        DisplayUnit.forEach(in: source.bytes[start..<max(start, end)]) { unit in
            var text = unit.text
            var width = unit.width
            if unit.isTab {
                width = tabColumns - column % tabColumns
                text = String(repeating: " ", count: width)
            }
            cells.append(
                Cell(text: text, width: width, start: offset, end: offset + unit.byteCount))
            column += width
            offset += unit.byteCount
        }
        return cells
    }

    /// Returns the cells to display: all of them if they fit; otherwise the marked cells, with some
    /// context before and after them.
    private static func window(
        _ cells: [Cell], before: Int, through: Int, columnsMax: Int
    ) -> Range<Int> {
        if width(of: cells[...]) <= columnsMax { return 0..<cells.count }
        let marked = width(of: cells[before..<through])
        var room = max((columnsMax - marked) / 2, columnsMax / 4)
        var low = before
        while low > 0, cells[low - 1].width <= room {
            low -= 1
            room -= cells[low].width
        }
        var high = low
        var used = 0
        while high < cells.count, used + cells[high].width <= columnsMax {
            used += cells[high].width
            high += 1
        }
        return low..<high
    }

    private static func width(of cells: ArraySlice<Cell>) -> Int {
        cells.reduce(0) { $0 + $1.width }
    }
}
