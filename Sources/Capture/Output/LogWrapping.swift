import Diagnostics

/// Breaks lines of a log into rows of a terminal.
enum LogWrapping {
    /// Rows after the first begin here.
    static let indent = 33
    /// A row has at least so many columns of text.
    static let textColumnsMin = 20

    /// How many columns the text takes.
    static func columns(_ text: String) -> Int { displayWidth(text) }

    /// How far back a blank may stand at which a row ends.
    static let wordColumnsMax = 24

    /// The line in rows, or nil if it fits. A row ends where a blank is near, and without it. Colours take no
    /// room; they are the only escape sequences that a line has.
    static func wrapped(_ line: [UInt8], columns: Int) -> [UInt8]? {
        guard line.count > columns else { return nil }
        let width = max(columns, indent + textColumnsMin)
        let margin = [0x0A] + [UInt8](repeating: 0x20, count: indent)
        var result: [UInt8] = []
        var column = 0
        /// Where the row's text stands in `result`.
        var rowStart = 0
        /// Behind the last blank of the row: where it stands in `result`, and its column.
        var blank: (place: Int, column: Int)?
        var isEscape = false
        var hasBroken = false
        for character in String(decoding: line, as: UTF8.self) {
            if character == "\u{1B}" { isEscape = true }
            if isEscape {
                isEscape = character != "m"
            } else {
                let size = displayWidth(String(character))
                if column + size > width {
                    hasBroken = true
                    if let place = blank?.place, let last = blank?.column, last > indent,
                        column - last <= wordColumnsMax,
                        let end = result[rowStart..<place].lastIndex(where: { $0 != 0x20 })
                    {
                        result.replaceSubrange((end + 1)..<place, with: margin)
                        rowStart = end + 1 + margin.count
                        column = indent + column - last
                    } else {
                        result += margin
                        rowStart = result.count
                        column = indent
                    }
                    blank = nil
                }
                column += size
            }
            result += Array(character.utf8)
            if character == " ", !isEscape { blank = (result.count, column) }
        }
        return hasBroken ? result : nil
    }
}
