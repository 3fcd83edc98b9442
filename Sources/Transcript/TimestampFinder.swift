import LineProtocol
import Scenario

/// A finder for dates and times in values from the server. These are often the same in a replay
/// seconds after the recording, but not in a replay a day later.
package struct TimestampFinder: Sendable {
    private static let space: UInt8 = 0x20
    /// Characters that may follow a date in a sentence.
    private static let punctuation = Set(".,;)!".utf8)
    /// Maximum difference, in seconds, between a number and the recording time for the number to be
    /// considered a Unix time.
    private static let secondsMax: Int64 = 86_400
    private static let names: Set<String> = [
        "mon", "tue", "wed", "thu", "fri", "sat", "sun", "monday", "tuesday", "wednesday",
        "thursday",
        "friday", "saturday", "sunday", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug",
        "sep",
        "oct", "nov", "dec", "january", "february", "march", "april", "june", "july", "august",
        "september", "october", "november", "december", "at", "--", "utc", "gmt", "(utc)",
    ]

    /// Recording time in seconds since 1970.
    let startedAt: Int64

    package init(startedAt: Int64) { self.startedAt = startedAt }

    /// Returns the value with a placeholder for its first date and time.
    package func masked(_ value: [UInt8]) -> [UInt8] {
        guard let pieces = pieces(value) else { return value }
        return pieces.flatMap { piece in
            switch piece {
            case .bytes(let bytes): bytes
            case .placeholder: Array("<time>".utf8)
            }
        }
    }

    /// Returns whether a text contains a date or time.
    func isTime(in text: [UInt8]) -> Bool {
        text.split { " \t\r\n".utf8.contains($0) }.contains(where: isClock)
    }

    /// Returns the value with a placeholder for its first date and time; nil if it contains none.
    func pieces(_ value: [UInt8]) -> [ScenarioSpelling.Piece]? {
        let words = value.split(separator: Self.space, omittingEmptySubsequences: false)
        guard let clock = words.firstIndex(where: isClock) else { return nil }
        var first = clock
        while first > 0, isPartOfDate(words[first - 1]) { first -= 1 }
        var last = clock
        while last + 1 < words.count, isPartOfDate(words[last + 1]) || isClock(words[last + 1]) {
            last += 1
        }
        var pieces: [ScenarioSpelling.Piece] = []
        let before = words[..<first].joined(separator: [Self.space])
        if first > 0 { pieces.append(.bytes(Array(before) + [Self.space])) }
        let isNumber = first == last && words[first].allSatisfy(ASCII.isDigit)
        pieces.append(.placeholder(isNumber ? "{{_:int}}" : "{{_}}"))
        // The placeholder contains the parentheses of a time zone.
        let isZone = words[last].first == UInt8(ascii: "(")
        let end = words[last].suffix(isZone ? 0 : 1).filter { Self.punctuation.contains($0) }
        pieces.append(.bytes(end))
        let after = words[(last + 1)...].joined(separator: [Self.space])
        if last + 1 < words.count { pieces.append(.bytes([Self.space] + Array(after))) }
        return FieldVariants.joined(pieces)
    }

    /// Returns true for a date and time in digits only (`20261124041756`) whose year differs from
    /// that of the recording by at most one.
    private func isDigitDate(_ word: ArraySlice<UInt8>) -> Bool {
        func number(_ from: Int, _ count: Int) -> Int64 {
            word.dropFirst(from).prefix(count).reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        }
        let secondsPerYear: Int64 = 31_556_952
        guard word.count == 14, word.allSatisfy(ASCII.isDigit) else {
            return false
        }
        return abs(number(0, 4) - 1970 - startedAt / secondsPerYear) <= 1
            && (1...12).contains(number(4, 2)) && (1...31).contains(number(6, 2))
            && number(8, 2) < 24 && number(10, 2) < 60
    }

    /// Returns true for a time (`03:04`, `03:04:05`), an ISO date with or without a time, a date and
    /// time in digits only, or a Unix time in seconds or milliseconds close to the recording time.
    private func isClock(_ word: ArraySlice<UInt8>) -> Bool {
        let text = String(decoding: word, as: UTF8.self)
        if let number = Int64(text) {
            return abs(number - startedAt) < Self.secondsMax
                || abs(number / 1_000 - startedAt) < Self.secondsMax || isDigitDate(word)
        }
        let digits = text.map { $0.isASCII && $0.isNumber ? "9" : $0 }
        let shape = String(digits.prefix(while: { "9:-T".contains($0) }))
        return ["99:99", "99:99:99", "9999-99-99", "9999-99-99T99:99:99"].contains {
            shape == $0 || shape.hasPrefix($0 + "T")
        }
    }

    private func isPartOfDate(_ word: ArraySlice<UInt8>) -> Bool {
        let text = String(decoding: word, as: UTF8.self).lowercased()
        if Self.names.contains(text.filter { $0 != "," }) { return true }
        let digits = word.filter { !Self.punctuation.contains($0) }
        let number = Int(String(decoding: digits, as: UTF8.self))
        return number.map { (1...31).contains($0) || (1970...9999).contains($0) } ?? false
    }
}
