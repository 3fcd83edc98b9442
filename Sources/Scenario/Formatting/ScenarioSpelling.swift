import Diagnostics

/// How bytes are written in a scenario so that reading it gives the same bytes back. Whoever writes
/// scenarios (a capture, a recording, a shrunk failure) writes their texts with this.
package enum ScenarioSpelling {
    /// Bytes as a quoted string, with its quotes.
    package static func string(_ bytes: [UInt8]) -> String {
        let units = units(of: bytes)
        return "\"\(escaped(units[...]))\""
    }

    /// Bytes as wire text after an arrow: printable text as it is; in placeholders whatever the language
    /// would take for its own (a comment, a clause, blanks at either end) or cannot be seen.
    package static func wireText(_ bytes: [UInt8]) -> String { wireText([.bytes(bytes)]) }

    /// Bytes and placeholders as wire text after an arrow. A placeholder is given as it is written, such as `{{_:int}}`.
    package static func wireText(_ pieces: [Piece]) -> String {
        var units: [Unit] = []
        for piece in pieces {
            switch piece {
            case .bytes(let bytes): units += Self.units(of: bytes)
            case .placeholder(let placeholder):
                units.append(Unit(text: placeholder, isHidden: false))
            }
        }
        hide(&units)
        var text = ""
        var index = 0
        while index < units.count {
            let start = index
            let isHidden = units[start].isHidden
            let needsBarrier = isHidden ? false : startsOtherwise(units, at: start)
            repeat {
                index += 1
            } while index < units.count && units[index].isHidden == isHidden
                && (isHidden || !startsOtherwise(units, at: index))
            let run = units[start..<index]
            if needsBarrier { text += "{{\"\"}}" }
            text += isHidden ? "{{\"\(escaped(run))\"}}" : run.map(\.text).joined()
        }
        return text.isEmpty ? "{{\"\"}}" : text
    }

    /// A part of a text.
    package enum Piece: Sendable, Equatable {
        /// Bytes that stand for themselves.
        case bytes([UInt8])
        /// A placeholder with its braces.
        case placeholder(String)
    }

    /// A scalar, a byte that belongs to none, or a placeholder.
    private struct Unit {
        /// As it is displayed: itself, or an escape.
        var text: String
        /// Whether it must stand in a placeholder.
        var isHidden: Bool

        var isBlank: Bool { text == " " || text == "\\t" }
    }

    private static func units(of bytes: [UInt8]) -> [Unit] {
        var units: [Unit] = []
        forEachScalar(in: bytes) { range, scalar in
            let text = escapedForDisplay(bytes[range])
            units.append(Unit(text: text, isHidden: scalar.map { text != String($0) } ?? true))
        }
        return units
    }

    private static func escaped(_ units: ArraySlice<Unit>) -> String {
        var text = ""
        for (index, unit) in zip(units.indices, units) {
            switch unit.text {
            case "\\", "\"": text += "\\" + unit.text
            case "{" where index + 1 < units.endIndex && units[index + 1].text == "{":
                text += "\\x7b"
            default: text += unit.text
            }
        }
        return text
    }

    private static func hide(_ units: inout [Unit]) {
        let first = units.firstIndex { !$0.isBlank } ?? units.count
        let last = units.lastIndex { !$0.isBlank } ?? -1
        for index in units.indices {
            let isAfterBlank = index == 0 || units[index - 1].isBlank
            let isBeforeBlank = index + 1 == units.count || units[index + 1].isBlank
            let isComment = units[index].text == "#" && isAfterBlank && isBeforeBlank
            if isComment || index < first || index > last { units[index].isHidden = true }
        }
        // Two braces open a placeholder, and so would one before the braces of a placeholder.
        for index in units.indices.dropLast().reversed() where units[index].text == "{" {
            if units[index + 1].isHidden || units[index + 1].text.hasPrefix("{") {
                units[index].isHidden = true
            }
        }
    }

    /// Whether the text from here on would be read as something else: a string or a typed command at
    /// its start, a clause after two blanks.
    private static func startsOtherwise(_ units: [Unit], at index: Int) -> Bool {
        let rest = units[index...]
        if index == 0 {
            let afterName = rest.drop { unit in
                unit.text == "-" || unit.text.utf8.allSatisfy(\.isNamePart)
            }
            return rest.first?.text == "\"" || afterName.first?.text == "("
        }
        guard index > 1, units[index - 1].isBlank, units[index - 2].isBlank else { return false }
        let afterWord = rest.drop { $0.text.utf8.allSatisfy(\.isNamePart) }
        let word = rest[..<afterWord.startIndex].map(\.text).joined()
        guard Clause(rawValue: word) != nil else { return false }
        let opener = afterWord.drop(while: \.isBlank).first?.text.utf8.first
        return opener.map { $0.isDigit || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "-") }
            ?? false
    }
}
