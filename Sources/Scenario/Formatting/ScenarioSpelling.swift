import Diagnostics

/// Encoder that writes bytes as scenario text, which parses back to the same bytes. Used to
/// generate scenarios from captures, recordings and shrunk failures.
package enum ScenarioSpelling {
    /// Returns the bytes as a quoted string, including the quotes.
    package static func string(_ bytes: [UInt8]) -> String {
        let units = units(of: bytes, piece: 0)
        return "\"\(escaped(units[...]))\""
    }

    /// Returns the bytes as wire text for use after an arrow. Invisible bytes are put into
    /// placeholders, as are bytes with a special meaning (comments, modifiers, and spaces at either
    /// end).
    package static func wireText(_ bytes: [UInt8]) -> String { wireText([.bytes(bytes)]) }

    /// Returns bytes and placeholders as wire text for use after an arrow. The given placeholders
    /// include their braces, as in `{{_:int}}`.
    package static func wireText(_ pieces: [Piece]) -> String { located(pieces).text }

    /// Returns wire text, and the range of each piece in it, in bytes.
    static func located(_ pieces: [Piece]) -> (text: String, ranges: [Range<Int>]) {
        var units: [Unit] = []
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .bytes(let bytes): units += Self.units(of: bytes, piece: index)
            case .placeholder(let placeholder):
                units.append(Unit(text: placeholder, isHidden: false, piece: index))
            }
        }
        hide(&units)
        var text = ""
        var ranges = [Range<Int>](repeating: 0..<0, count: pieces.count)
        func extend(_ piece: Int, from start: Int) {
            let start = ranges[piece].isEmpty ? start : ranges[piece].lowerBound
            ranges[piece] = start..<text.utf8.count
        }
        var index = 0
        while index < units.count {
            let start = index
            let isHidden = units[start].isHidden
            let needsSeparator = isHidden ? false : wouldBeMisread(units, at: start)
            repeat {
                index += 1
            } while index < units.count && units[index].isHidden == isHidden
                && (isHidden || !wouldBeMisread(units, at: index))
            let run = units[start..<index]
            if needsSeparator { text += "{{\"\"}}" }
            guard isHidden else {
                for unit in run {
                    let offset = text.utf8.count
                    text += unit.text
                    extend(unit.piece, from: offset)
                }
                continue
            }
            let opening = text.utf8.count
            text += "{{\"\(escaped(run))\"}}"
            // A placeholder can hide the end of one piece and the start of the next.
            for piece in Set(run.map(\.piece)) { extend(piece, from: opening) }
        }
        return (text.isEmpty ? "{{\"\"}}" : text, ranges)
    }

    /// A piece of wire text: literal bytes or a placeholder.
    package enum Piece: Sendable, Equatable {
        /// Literal bytes.
        case bytes([UInt8])
        /// A placeholder, including its braces.
        case placeholder(String)
    }

    /// A Unicode scalar, an invalid byte or a placeholder.
    private struct Unit {
        /// The unit's text in a scenario: the character, its escape sequence or the placeholder.
        var text: String
        /// True if the unit must be written inside a placeholder.
        var isHidden: Bool
        /// Index of the piece that the unit belongs to.
        var piece: Int

        var isSpace: Bool { text == " " || text == "\\t" }
    }

    private static func units(of bytes: [UInt8], piece: Int) -> [Unit] {
        var units: [Unit] = []
        forEachScalar(in: bytes) { range, scalar in
            let text = escapedForDisplay(bytes[range])
            let isHidden = scalar.map { text != String($0) } ?? true
            units.append(Unit(text: text, isHidden: isHidden, piece: piece))
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
        let first = units.firstIndex { !$0.isSpace } ?? units.count
        let last = units.lastIndex { !$0.isSpace } ?? -1
        for index in units.indices {
            let isAfterSpace = index == 0 || units[index - 1].isSpace
            let isBeforeSpace = index + 1 == units.count || units[index + 1].isSpace
            let isComment = units[index].text == "#" && isAfterSpace && isBeforeSpace
            if isComment || index < first || index > last { units[index].isHidden = true }
        }
        // If a literal `{` came directly before a placeholder, the placeholder would appear to
        // start at that brace, so hide the brace as well.
        for index in units.indices.dropLast().reversed() where units[index].text == "{" {
            if units[index + 1].isHidden || units[index + 1].text.hasPrefix("{") {
                units[index].isHidden = true
            }
        }
    }

    /// Returns true if the text from `index` on would be mistaken for a string or a typed command
    /// (at the start) or for a modifier (after two spaces).
    private static func wouldBeMisread(_ units: [Unit], at index: Int) -> Bool {
        let rest = units[index...]
        if index == 0 {
            let afterName = rest.drop { unit in
                unit.text == "-" || unit.text.utf8.allSatisfy(\.isNamePart)
            }
            return rest.first?.text == "\"" || afterName.first?.text == "("
        }
        guard index > 1, units[index - 1].isSpace, units[index - 2].isSpace else { return false }
        let afterWord = rest.drop { $0.text.utf8.allSatisfy(\.isNamePart) }
        let word = rest[..<afterWord.startIndex].map(\.text).joined()
        guard StepModifier(rawValue: word) != nil else { return false }
        let opener = afterWord.drop(while: \.isSpace).first?.text.utf8.first
        return opener.map { $0.isDigit || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "-") }
            ?? false
    }
}
