import Diagnostics

extension LineCursor {
    /// Parses a duration: a number directly followed by a unit.
    mutating func duration() throws(Diagnosed) -> DurationLiteral {
        skipSpaces()
        let start = at
        let token = nextWord
        guard let whole = digits(), let fraction = fraction() else {
            throw badDuration(token, "expected a duration, found \(found(token))")
        }
        let unitStart = at
        while let byte = peek(), byte.isNamePart { at += 1 }
        let unitText = text(unitStart, at)
        guard let unit = DurationLiteral.Unit(rawValue: unitText) else {
            if unitText.isEmpty {
                throw badDuration(token, "a duration needs a unit directly after its number")
            }
            throw badDuration(
                range(unitStart, at), "`\(escapedForDisplay(unitText))` is not a unit of time")
        }
        let nanoseconds = unit.nanoseconds(whole: whole, fraction: fraction)
        guard let nanoseconds, nanoseconds <= ScenarioLimits.durationNanosecondsMax else {
            throw badDuration(range(from: start), "a duration must not exceed one day")
        }
        return DurationLiteral(nanoseconds: nanoseconds, range: range(from: start))
    }

    /// Parses the digits after a decimal point. Returns an empty string if there is no decimal
    /// point, and nil if there are more than nine digits. The two dots in `1s..2s` are not decimal
    /// points.
    private mutating func fraction() -> String? {
        guard peek() == UInt8(ascii: "."), peek(1)?.isDigit == true else { return "" }
        at += 1
        let start = at
        return digits() == nil || at - start > 9 ? nil : text(start, at)
    }

    private func badDuration(_ range: SourceRange, _ message: String) -> Diagnosed {
        let range = range.count == 0 ? nextToken : range
        return Diagnosed(
            error(.badDuration, message, at: range)
                .help(
                    "a duration is a number and a unit (us, ms, s or m) without a space: 250ms, 1.5s"
                ))
    }

    private func found(_ range: SourceRange) -> String {
        let shown = bytes[(range.start - shift)..<(range.end - shift)].prefix(40)
        return shown.isEmpty ? "the end of the line" : "`\(escapedForDisplay(shown))`"
    }

    /// Parses `2s` or `1s..2s`. `start` is the offset of the `within` keyword.
    mutating func window(from start: Int) throws(Diagnosed) -> Window {
        let first = try duration()
        guard skip("..") else { return Window(latest: first, range: range(from: start)) }
        let second = try duration()
        if second.nanoseconds < first.nanoseconds {
            throw Diagnosed(
                error(
                    .badDuration, "the upper bound is less than the lower bound",
                    at: first.range.joined(with: second.range)))
        }
        return Window(earliest: first, latest: second, range: range(from: start))
    }

    /// Parses an optional `within …`; returns nil if it is missing.
    mutating func within() throws(Diagnosed) -> Window? {
        skipSpaces()
        let start = at
        return skipWord("within") ? try window(from: start) : nil
    }

    /// Parses an optional `for …`; returns nil if it is missing.
    mutating func forTime() throws(Diagnosed) -> Window? {
        skipSpaces()
        let start = at
        guard skipWord("for") else { return nil }
        let time = try duration()
        return Window(latest: time, range: range(from: start))
    }
}
