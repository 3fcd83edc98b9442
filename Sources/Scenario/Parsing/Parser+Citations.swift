import Diagnostics
import LineProtocol

extension Parser {
    /// Parses `cite DOCUMENT §SECTION [LEVEL] ["QUOTE"]`, in the header or in the body.
    mutating func readCitation(_ word: Name, _ cursor: inout LineCursor) throws(Diagnosed) {
        if isBehaviour {
            throw Diagnosed(
                error(.headerAfterStep, "a behaviour cannot contain a `cite` line", at: word.range))
        }
        let start = cursor.at - word.range.count
        // A `#` after a space would start a comment.
        guard cursor.isAtEnd || cursor.peek() == 0x20 || cursor.peek() == 0x09 else {
            throw Diagnosed(
                error(
                    .badHeader, "expected a space after `cite`, found \(cursor.nextText)",
                    at: cursor.nextToken))
        }
        cursor.skipSpaces()
        let words = citationWords(&cursor)
        var document: [Name] = []
        var section: String?
        var level: RequirementLevel?
        for (index, word) in words.enumerated() {
            if word.text.hasPrefix("§"), section == nil, word.text.count > 1 {
                section = String(word.text.dropFirst())
            } else if index == words.count - 1, index > 0,
                let stated = RequirementLevel(rawValue: word.text)
            {
                level = stated
            } else if section == nil {
                document.append(word)
            } else {
                throw unknownLevel(word)
            }
        }
        let quote = try self.quote(&cursor)
        guard !document.isEmpty else {
            throw Diagnosed(
                error(.badHeader, "`cite` needs a document", at: cursor.range(from: start))
                    .help("for example: cite RFC 2812 §3.1.2 must \"QUOTE\""))
        }
        let citation = Citation(
            document: document.map(\.text).joined(separator: " "), section: section,
            statedLevel: level, quote: quote, range: cursor.range(from: start))
        try finish(&cursor)
        keep(citation)
    }

    private func citationWords(_ cursor: inout LineCursor) -> [Name] {
        var words: [Name] = []
        while !cursor.isDone {
            cursor.skipSpaces()
            guard cursor.peek() != UInt8(ascii: "\""), let word = cursor.word() else { break }
            words.append(word)
        }
        return words
    }

    private func quote(_ cursor: inout LineCursor) throws(Diagnosed) -> String? {
        guard !cursor.isDone else { return nil }
        return String(decoding: try cursor.plainString(), as: UTF8.self)
    }

    private mutating func keep(_ citation: Citation) {
        if hasSteps || frames.count > 1 {
            bodyCitations.append(citation)
            self.citation = citation
        } else {
            header.header.citations.append(citation)
        }
    }

    private func unknownLevel(_ word: Name) -> Diagnosed {
        let levels = RequirementLevel.allCases.map(\.rawValue)
        let fault = error(.badHeader, "`\(word.text)` is not a requirement level", at: word.range)
        if let suggestion = didYouMean(word.text, among: levels) {
            return Diagnosed(fault.help("did you mean `\(suggestion)`?"))
        }
        return Diagnosed(fault.help("levels are \(levels.joined(separator: ", "))"))
    }
}
