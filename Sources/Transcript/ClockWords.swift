import Scenario

/// Finds dates and times of day in what a server said. Replays come seconds after the recording, when
/// most of such a text is still the same; a day later it is not.
struct ClockWords {
    private static let blank: UInt8 = 0x20
    /// The seconds within which a number counts as a time near the recording's.
    private static let nearness: Int64 = 86_400
    private static let names: Set<String> = [
        "mon", "tue", "wed", "thu", "fri", "sat", "sun", "monday", "tuesday", "wednesday",
        "thursday",
        "friday", "saturday", "sunday", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug",
        "sep",
        "oct", "nov", "dec", "january", "february", "march", "april", "june", "july", "august",
        "september", "october", "november", "december", "at", "--", "utc", "gmt", "(utc)",
    ]

    /// When the recording was made, in seconds since 1970.
    let startedAt: Int64

    /// The value with a placeholder from the first to the last word of its date or time; nil if it has none.
    func pieces(_ value: [UInt8]) -> [ScenarioSpelling.Piece]? {
        let words = value.split(separator: Self.blank, omittingEmptySubsequences: false)
        guard let clock = words.firstIndex(where: isClock) else { return nil }
        var first = clock
        while first > 0, isPartOfDate(words[first - 1]) { first -= 1 }
        var last = clock
        while last + 1 < words.count, isPartOfDate(words[last + 1]) || isClock(words[last + 1]) {
            last += 1
        }
        var pieces: [ScenarioSpelling.Piece] = []
        let before = words[..<first].joined(separator: [Self.blank])
        if first > 0 { pieces.append(.bytes(Array(before) + [Self.blank])) }
        let isNumber = first == last && words[first].allSatisfy { (0x30...0x39).contains($0) }
        pieces.append(.placeholder(isNumber ? "{{_:int}}" : "{{_}}"))
        let after = words[(last + 1)...].joined(separator: [Self.blank])
        if last + 1 < words.count { pieces.append(.bytes([Self.blank] + Array(after))) }
        return pieces
    }

    /// A time of day (`03:04`, `03:04:05`), an ISO date with or without a time, or seconds or
    /// milliseconds since 1970 near the recording's.
    private func isClock(_ word: ArraySlice<UInt8>) -> Bool {
        let text = String(decoding: word, as: UTF8.self)
        if let number = Int64(text) {
            return abs(number - startedAt) < Self.nearness
                || abs(number / 1_000 - startedAt) < Self.nearness
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
        let number = Int(text.filter { $0 != "," })
        return number.map { (1...31).contains($0) || (1970...9999).contains($0) } ?? false
    }
}
