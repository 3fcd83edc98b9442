import Diagnostics

/// Breaks lines of a log into rows of a terminal.
enum LogWrapping {
    /// Rows after the first begin here.
    static let indent = 33
    /// A row has at least so many columns of text.
    static let textColumnsMin = 20

    /// How many columns the text takes.
    static func columns(_ text: String) -> Int { displayWidth(text) }

    /// The line in rows, or nil if it fits. Colours take no room; they are the only escape sequences that a
    /// line has.
    static func wrapped(_ line: [UInt8], columns: Int) -> [UInt8]? {
        guard line.count > columns else { return nil }
        let width = max(columns, indent + textColumnsMin)
        var result: [UInt8] = []
        var column = 0
        var isEscape = false
        var hasBroken = false
        for character in String(decoding: line, as: UTF8.self) {
            if character == "\u{1B}" { isEscape = true }
            if isEscape {
                isEscape = character != "m"
            } else {
                let size = displayWidth(String(character))
                if column + size > width {
                    result.append(0x0A)
                    result += [UInt8](repeating: 0x20, count: indent)
                    column = indent
                    hasBroken = true
                }
                column += size
            }
            result += Array(character.utf8)
        }
        return hasBroken ? result : nil
    }
}
