import Diagnostics

/// Text fitted to the columns of a terminal: wide letters count two, joining ones none. The texts given
/// are escaped already.
package enum ColumnText {
    /// How many columns the text takes.
    package static func width(_ text: String) -> Int { displayWidth(text) }

    /// The text with blanks after it up to that many columns.
    package static func padded(_ text: String, to columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - displayWidth(text)))
    }

    /// The text with blanks before it up to that many columns.
    package static func rightAligned(_ text: String, to columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - displayWidth(text))) + text
    }

    /// The text, or its beginning and `…`, in at most that many columns.
    package static func cutEnd(_ text: String, to columns: Int) -> String {
        if displayWidth(text) <= columns { return text }
        return taken(text, columns: columns - 1) + (columns > 0 ? "…" : "")
    }

    /// The text, or `…` and its end (what matters in a path), in at most that many columns.
    package static func cutStart(_ text: String, to columns: Int) -> String {
        if displayWidth(text) <= columns { return text }
        let end = taken(String(text.reversed()), columns: columns - 1)
        return (columns > 0 ? "…" : "") + String(end.reversed())
    }

    /// The text in pieces of at most that many columns, cut between letters; never empty.
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

    /// The text in lines of at most that many columns, cut between words, and within one that is wider
    /// than a line.
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
