extension LineDivider {
    /// Divides a line that may have keys, rows, quotes, doubled bytes or marks.
    func splitParts(_ bytes: Span<UInt8>, _ range: Range<Int>, _ result: inout SplitLine) {
        guard syntax.verb != .none else {
            result.parts.verb = range.lowerBound..<range.lowerBound
            appendRest(bytes, range, form: .plain, &result)
            return
        }
        var place = range.lowerBound
        let upper = range.upperBound
        if let tags = syntax.tags, place < upper, bytes[place] == tags.marker {
            let end = endOfToken(bytes, place + 1, upper)
            result.parts.tags = (place + 1)..<end
            place = skipSeparators(bytes, end, upper)
        }
        if let marker = syntax.sourceMarker, place < upper, bytes[place] == marker {
            let end = endOfToken(bytes, place + 1, upper)
            result.parts.source = (place + 1)..<end
            place = skipSeparators(bytes, end, upper)
        } else if syntax.separatorRuns {
            place = skipSeparators(bytes, place, upper)
        }
        guard let fields = splitVerb(bytes, place, upper, &result) else { return }
        if syntax.separatorRuns {
            splitRuns(bytes, fields, upper, &result)
        } else {
            splitEach(bytes, fields, upper, &result)
        }
    }

    @inline(__always)
    func isSeparator(_ byte: UInt8) -> Bool { byte == separator || byte == separator2 }

    private func endOfToken(_ bytes: Span<UInt8>, _ from: Int, _ upper: Int) -> Int {
        var place = from
        while place < upper, !isSeparator(bytes[place]) {
            let isEscape = bytes[place] == escape && place + 1 < upper
            place += isEscape && escapable.contains(bytes[place + 1]) ? 2 : 1
        }
        return place
    }

    private func skipSeparators(_ bytes: Span<UInt8>, _ from: Int, _ upper: Int) -> Int {
        var place = from
        while place < upper, isSeparator(bytes[place]) { place += 1 }
        return place
    }

    /// Finds the command and returns the place where fields may start, or nil if there are none.
    private func splitVerb(
        _ bytes: Span<UInt8>, _ from: Int, _ upper: Int, _ result: inout SplitLine
    ) -> Int? {
        if case .bytes(let count) = syntax.verb {
            let end = min(upper, from + max(0, count))
            result.parts.verb = from..<end
            return end < upper ? end : nil
        }
        let end = endOfToken(bytes, from, upper)
        result.parts.verb = from..<end
        if let mark, isMarked(bytes, from..<end, mark.byte, mark.codeBytes) {
            result.parts.continues = true
            result.parts.verb = from..<(from + mark.codeBytes)
            return from + mark.codeBytes + 1
        }
        if syntax.verb == .firstUnlessKeyValue, hasKeyOrRow(bytes, from..<end) {
            result.parts.verb = from..<from
            return from
        }
        if isHeaderFrame, end > from, bytes[end - 1] == ASCII.cr {
            result.parts.verb = from..<(end - 1)
        }
        // The separator after the command opens the first field.
        return end < upper ? end + 1 : nil
    }

    /// Whether the token is a code of digits with the mark after it.
    private func isMarked(
        _ bytes: Span<UInt8>, _ token: Range<Int>, _ mark: UInt8, _ codeBytes: Int
    ) -> Bool {
        let place = token.lowerBound + max(0, codeBytes)
        guard place < token.upperBound, bytes[place] == mark else { return false }
        return (token.lowerBound..<place).allSatisfy { ASCII.isDigit(bytes[$0]) }
    }

    private func hasKeyOrRow(_ bytes: Span<UInt8>, _ token: Range<Int>) -> Bool {
        guard let keyValue = syntax.keyValue else { return false }
        return token.contains {
            bytes[$0] == keyValue.assignment || bytes[$0] == keyValue.rowSeparator
        }
    }

    /// Whether the next field is the last that the dialect allows. Fields with keys are as many as there are.
    private func isLast(_ result: SplitLine) -> Bool {
        syntax.keyValue == nil && result.fields.count == syntax.fieldsMax - 1
    }

    private func appendRest(
        _ bytes: Span<UInt8>, _ range: Range<Int>, form: Field.Form, _ result: inout SplitLine
    ) {
        let marker = form == .trailing ? trailingEscape : escape ?? percent ?? doubled
        let hasEscape = marker.map { firstPlace(of: $0, in: bytes, range) != nil } ?? false
        result.fields.append(Field(range, hasEscape: hasEscape, form: form))
    }

    /// Fields between runs of separators, and a trailing field.
    private func splitRuns(
        _ bytes: Span<UInt8>, _ from: Int, _ upper: Int, _ result: inout SplitLine
    ) {
        var place = from
        while true {
            place = skipSeparators(bytes, place, upper)
            guard place < upper else { return }
            if takesRest(bytes, place, upper, &result) { return }
            place = appendField(bytes, place, upper, &result)
        }
    }

    /// Fields that each separator ends, empty ones included.
    private func splitEach(
        _ bytes: Span<UInt8>, _ from: Int, _ upper: Int, _ result: inout SplitLine
    ) {
        var place = from
        while place <= upper {
            if takesRest(bytes, place, upper, &result) { return }
            place = appendField(bytes, place, upper, &result)
            guard place < upper else { return }
            place += 1
        }
    }

    /// Appends what is left of the line if the field at `place` takes it all.
    private func takesRest(
        _ bytes: Span<UInt8>, _ place: Int, _ upper: Int, _ result: inout SplitLine
    ) -> Bool {
        guard place < upper else { return false }
        if bytes[place] == syntax.trailingMarker {
            appendRest(bytes, (place + 1)..<upper, form: .trailing, &result)
        } else if isLast(result) {
            appendRest(bytes, place..<upper, form: .trailing, &result)
        } else {
            return false
        }
        return true
    }

    /// What has been seen of a field.
    private struct Unfinished {
        var lower: Int
        var row: Int
        var keyUpper = -1
        var hasEscape = false
    }

    /// Appends the field that starts at `from` and returns the place of the separator that ends it.
    private func appendField(
        _ bytes: Span<UInt8>, _ from: Int, _ upper: Int, _ result: inout SplitLine
    ) -> Int {
        if syntax.quotes, from < upper, bytes[from] == ASCII.quote {
            return appendQuoted(bytes, from, upper, &result)
        }
        var field = Unfinished(lower: from, row: Int(result.fields.last?.row ?? 0))
        var place = from
        while place < upper {
            let byte = bytes[place]
            let next = place + 1 < upper ? bytes[place + 1] : nil
            if byte == doubled, next == byte {
                field.hasEscape = true
                place += 1
            } else if isSeparator(byte) {
                break
            } else if byte == syntax.keyValue?.rowSeparator {
                appendKeyed(bytes, field, place, &result)
                field = Unfinished(lower: place + 1, row: field.row + 1)
            } else if byte == escape {
                field.hasEscape = true
                if let next, !divides(next) || escapable.contains(next) { place += 1 }
            } else if byte == doubled || byte == percent {
                field.hasEscape = true
            } else if field.keyUpper < 0, byte == syntax.keyValue?.assignment {
                field.keyUpper = place
            }
            place += 1
        }
        appendTrimmed(bytes, field, place, &result)
        return place
    }

    /// Whether the byte ends a field or a row where it is not escaped.
    private func divides(_ byte: UInt8) -> Bool {
        isSeparator(byte) || byte == syntax.keyValue?.rowSeparator
    }

    /// Appends the field; in header frames without the CR of CR LF, and not at all if nothing is left.
    private func appendTrimmed(
        _ bytes: Span<UInt8>, _ field: Unfinished, _ place: Int, _ result: inout SplitLine
    ) {
        guard isHeaderFrame else { return appendKeyed(bytes, field, place, &result) }
        let hasCR = place > field.lower && bytes[place - 1] == ASCII.cr
        let end = hasCR ? place - 1 : place
        if end > field.lower { appendKeyed(bytes, field, end, &result) }
    }

    private func appendKeyed(
        _ bytes: Span<UInt8>, _ field: Unfinished, _ upper: Int, _ result: inout SplitLine
    ) {
        var range = field.lower..<upper
        var form = Field.Form.plain
        if field.keyUpper >= 0 {
            form = .keyValue
        } else if let marker = syntax.keyValue?.optionMarker, let first = range.first,
            bytes[first] == marker
        {
            range = (first + 1)..<upper
            form = .option
        }
        result.fields.append(
            Field(
                range, keyUpper: field.keyUpper, row: field.row, hasEscape: field.hasEscape,
                form: form))
    }

    /// A field in double quotes: up to the closing one that no backslash stands before.
    private func appendQuoted(
        _ bytes: Span<UInt8>, _ from: Int, _ upper: Int, _ result: inout SplitLine
    ) -> Int {
        var place = from + 1
        var hasEscape = false
        while place < upper, bytes[place] != ASCII.quote {
            let isEscape = bytes[place] == ASCII.backslash
            hasEscape = hasEscape || isEscape
            place += isEscape ? 2 : 1
        }
        let end = min(place, upper)
        result.fields.append(Field((from + 1)..<end, hasEscape: hasEscape, form: .quoted))
        return endOfToken(bytes, min(end + 1, upper), upper)
    }
}
