import Diagnostics

/// Text layout in terminal columns. A wide character takes up two columns, a combining character
/// none. Text must be escaped beforehand.
package enum ColumnText {
    /// Returns the width of the text in columns.
    package static func width(_ text: String) -> Int { displayWidth(text) }

    /// Pads the text on the right with spaces.
    package static func padded(_ text: String, to columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - displayWidth(text)))
    }

    /// Pads the text on the left with spaces.
    package static func rightAligned(_ text: String, to columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - displayWidth(text))) + text
    }

    /// Truncates the end of the text to fit `columns` columns. `…` replaces the removed part.
    package static func cutEnd(_ text: String, to columns: Int) -> String {
        if displayWidth(text) <= columns { return text }
        return taken(text, columns: columns - 1) + (columns > 0 ? "…" : "")
    }

    /// Truncates the start of the text to fit `columns` columns. `…` replaces the removed part.
    /// Used for paths, whose end matters most.
    package static func cutStart(_ text: String, to columns: Int) -> String {
        if displayWidth(text) <= columns { return text }
        let end = taken(String(text.reversed()), columns: columns - 1)
        return (columns > 0 ? "…" : "") + String(end.reversed())
    }

    /// Splits the text into pieces of at most `columns` columns, never within a character. The
    /// result has at least one piece.
    package static func pieces(_ text: String, columns: Int) -> [String] {
        let columns = max(columns, 2)
        var pieces: [String] = []
        var piece = ""
        var width = 0
        for letter in text {
            let next = displayWidth(String(letter))
            if width + next > columns, !piece.isEmpty {
                pieces.append(piece)
                (piece, width) = ("", 0)
            }
            piece.append(letter)
            width += next
        }
        if !piece.isEmpty || pieces.isEmpty { pieces.append(piece) }
        return pieces
    }

    /// Wraps the text at spaces into lines of at most `columns` columns. Words that are wider than
    /// a line are split.
    package static func lines(_ text: String, columns: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, displayWidth(last) + 1 + displayWidth(String(word)) <= columns
            {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines += pieces(String(word), columns: columns)
            }
        }
        return lines.isEmpty ? [""] : lines
    }

    private static func taken(_ text: String, columns: Int) -> String {
        var kept = ""
        var width = 0
        for letter in text {
            width += displayWidth(String(letter))
            if width > columns { break }
            kept.append(letter)
        }
        return kept
    }
}
