import Diagnostics

/// Line wrapping to fit the decode log to the terminal width.
enum LogWrapping {
    /// Indentation of all rows except the first.
    static let indent = 33
    /// Minimum width of a row's text, in columns.
    static let textColumnsMin = 20

    static func columns(_ text: String) -> Int { displayWidth(text) }

    /// Maximum number of columns to leave unused at the end of a row in order to break at a space.
    static let wordColumnsMax = 24

    /// Wraps a line, preferably at spaces; nil if the line fits. Colour codes, which are the only
    /// escape sequences in a line, take up no columns.
    static func wrapped(_ line: [UInt8], columns: Int) -> [UInt8]? {
        guard line.count > columns else { return nil }
        let width = max(columns, indent + textColumnsMin)
        let margin = [0x0A] + [UInt8](repeating: 0x20, count: indent)
        var result: [UInt8] = []
        var column = 0
        /// Offset in `result` of the current row's text.
        var rowStart = 0
        /// Position after the last space in the current row, as an offset in `result` and as a
        /// column; nil if there is no space.
        var space: (offset: Int, column: Int)?
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
                    if let offset = space?.offset, let last = space?.column, last > indent,
                        column - last <= wordColumnsMax,
                        let end = result[rowStart..<offset].lastIndex(where: { $0 != 0x20 })
                    {
                        result.replaceSubrange((end + 1)..<offset, with: margin)
                        rowStart = end + 1 + margin.count
                        column = indent + column - last
                    } else {
                        result += margin
                        rowStart = result.count
                        column = indent
                    }
                    space = nil
                }
                column += size
            }
            result += Array(character.utf8)
            if character == " ", !isEscape { space = (result.count, column) }
        }
        return hasBroken ? result : nil
    }
}
