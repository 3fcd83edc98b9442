extension LineDivider {
    /// Splits a line that may contain keys, rows, quotes, doubled bytes or continuation markers.
    func splitParts(_ bytes: Span<UInt8>, _ range: Range<Int>, _ result: inout SplitLine) {
        guard syntax.verb != .none else {
            result.parts.verb = range.lowerBound..<range.lowerBound
            appendRest(bytes, range, form: .plain, &result)
            return
        }
        var offset = range.lowerBound
        let upper = range.upperBound
        if let tags = syntax.tags, offset < upper, bytes[offset] == tags.marker {
            let end = endOfToken(bytes, offset + 1, upper)
            result.parts.tags = (offset + 1)..<end
            offset = skipSeparators(bytes, end, upper)
        }
        if let marker = syntax.sourceMarker, offset < upper, bytes[offset] == marker {
            let end = endOfToken(bytes, offset + 1, upper)
            result.parts.source = (offset + 1)..<end
            offset = skipSeparators(bytes, end, upper)
        } else if syntax.separatorRuns {
            offset = skipSeparators(bytes, offset, upper)
        }
        guard let fields = splitVerb(bytes, offset, upper, &result) else { return }
        if syntax.separatorRuns {
            splitRuns(bytes, fields, upper, &result)
        } else {
            splitEach(bytes, fields, upper, &result)
        }
    }

    @inline(__always)
    func isSeparator(_ byte: UInt8) -> Bool { byte == separator || byte == separator2 }

    private func endOfToken(_ bytes: Span<UInt8>, _ from: Int, _ upper: Int) -> Int {
        var offset = from
        while offset < upper, !isSeparator(bytes[offset]) {
            let isEscape = bytes[offset] == escape && offset + 1 < upper
            offset += isEscape && escapable.contains(bytes[offset + 1]) ? 2 : 1
        }
        return offset
    }

    private func skipSeparators(_ bytes: Span<UInt8>, _ from: Int, _ upper: Int) -> Int {
        var offset = from
        while offset < upper, isSeparator(bytes[offset]) { offset += 1 }
        return offset
    }

    /// Finds the command. Returns the offset where the fields start, or nil if there are no fields.
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
        if let marker = continuationMarker,
            isMarked(bytes, from..<end, marker.byte, marker.codeBytes)
        {
            result.parts.continues = true
            result.parts.verb = from..<(from + marker.codeBytes)
            return from + marker.codeBytes + 1
        }
        if syntax.verb == .firstUnlessKeyValue, hasKeyOrRow(bytes, from..<end) {
            result.parts.verb = from..<from
            return from
        }
        if isHeaderFrame, end > from, bytes[end - 1] == ASCII.cr {
            result.parts.verb = from..<(end - 1)
        }
        // The separator after the command starts the first field.
        return end < upper ? end + 1 : nil
    }

    /// Returns true if the token starts with a numeric code and the continuation marker.
    private func isMarked(
        _ bytes: Span<UInt8>, _ token: Range<Int>, _ marker: UInt8, _ codeBytes: Int
    ) -> Bool {
        let offset = token.lowerBound + max(0, codeBytes)
        guard offset < token.upperBound, bytes[offset] == marker else { return false }
        return (token.lowerBound..<offset).allSatisfy { ASCII.isDigit(bytes[$0]) }
    }

    private func hasKeyOrRow(_ bytes: Span<UInt8>, _ token: Range<Int>) -> Bool {
        guard let keyValue = syntax.keyValue else { return false }
        return token.contains {
            bytes[$0] == keyValue.assignment || bytes[$0] == keyValue.rowSeparator
        }
    }

    /// Returns true if the dialect allows only one more field. The number of fields is not limited
    /// in dialects with `key=value` fields.
    private func isLast(_ result: SplitLine) -> Bool {
        syntax.keyValue == nil && result.fields.count == syntax.fieldsMax - 1
    }

    private func appendRest(
        _ bytes: Span<UInt8>, _ range: Range<Int>, form: Field.Form, _ result: inout SplitLine
    ) {
        let marker = form == .trailing ? trailingEscape : escape ?? percent ?? doubled
        let hasEscape = marker.map { firstOffset(of: $0, in: bytes, range) != nil } ?? false
        result.fields.append(Field(range, hasEscape: hasEscape, form: form))
    }

    /// Appends the fields between runs of separators, and the trailing field if there is one.
    private func splitRuns(
        _ bytes: Span<UInt8>, _ from: Int, _ upper: Int, _ result: inout SplitLine
    ) {
        var offset = from
        while true {
            offset = skipSeparators(bytes, offset, upper)
            guard offset < upper else { return }
            if takesRest(bytes, offset, upper, &result) { return }
            offset = appendField(bytes, offset, upper, &result)
        }
    }

    /// Appends the fields between separators, including empty ones.
    private func splitEach(
        _ bytes: Span<UInt8>, _ from: Int, _ upper: Int, _ result: inout SplitLine
    ) {
        var offset = from
        while offset <= upper {
            if takesRest(bytes, offset, upper, &result) { return }
            offset = appendField(bytes, offset, upper, &result)
            guard offset < upper else { return }
            offset += 1
        }
    }

    /// If the field at `offset` extends to the end of the line, appends that field and returns
    /// true.
    private func takesRest(
        _ bytes: Span<UInt8>, _ offset: Int, _ upper: Int, _ result: inout SplitLine
    ) -> Bool {
        guard offset < upper else { return false }
        if bytes[offset] == syntax.trailingMarker {
            appendRest(bytes, (offset + 1)..<upper, form: .trailing, &result)
        } else if isLast(result) {
            appendRest(bytes, offset..<upper, form: .trailing, &result)
        } else {
            return false
        }
        return true
    }

    /// A field being parsed.
    private struct Unfinished {
        var lower: Int
        var row: Int
        var keyUpper = -1
        var hasEscape = false
    }

    /// Appends the field that starts at `from` and returns the offset of the separator that ends
    /// it.
    private func appendField(
        _ bytes: Span<UInt8>, _ from: Int, _ upper: Int, _ result: inout SplitLine
    ) -> Int {
        if syntax.quotes, from < upper, bytes[from] == ASCII.quote {
            return appendQuoted(bytes, from, upper, &result)
        }
        var field = Unfinished(lower: from, row: Int(result.fields.last?.row ?? 0))
        var offset = from
        while offset < upper {
            let byte = bytes[offset]
            let next = offset + 1 < upper ? bytes[offset + 1] : nil
            if byte == doubled, next == byte {
                field.hasEscape = true
                offset += 1
            } else if isSeparator(byte) {
                break
            } else if byte == syntax.keyValue?.rowSeparator {
                appendKeyed(bytes, field, offset, &result)
                field = Unfinished(lower: offset + 1, row: field.row + 1)
            } else if byte == escape {
                field.hasEscape = true
                if let next, !divides(next) || escapable.contains(next) { offset += 1 }
            } else if byte == doubled || byte == percent {
                field.hasEscape = true
            } else if field.keyUpper < 0, byte == syntax.keyValue?.assignment {
                field.keyUpper = offset
            }
            offset += 1
        }
        appendTrimmed(bytes, field, offset, &result)
        return offset
    }

    /// Returns true if the byte ends a field or a row unless it is escaped.
    private func divides(_ byte: UInt8) -> Bool {
        isSeparator(byte) || byte == syntax.keyValue?.rowSeparator
    }

    /// Appends a field. In header frames, first removes the CR of a CR LF, and skips the field if
    /// it is then empty.
    private func appendTrimmed(
        _ bytes: Span<UInt8>, _ field: Unfinished, _ offset: Int, _ result: inout SplitLine
    ) {
        guard isHeaderFrame else { return appendKeyed(bytes, field, offset, &result) }
        let hasCR = offset > field.lower && bytes[offset - 1] == ASCII.cr
        let end = hasCR ? offset - 1 : offset
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

    /// Appends a field in double quotes, up to the first unescaped closing quote. Returns the
    /// offset of the separator that follows.
    private func appendQuoted(
        _ bytes: Span<UInt8>, _ from: Int, _ upper: Int, _ result: inout SplitLine
    ) -> Int {
        var offset = from + 1
        var hasEscape = false
        while offset < upper, bytes[offset] != ASCII.quote {
            let isEscape = bytes[offset] == ASCII.backslash
            hasEscape = hasEscape || isEscape
            offset += isEscape ? 2 : 1
        }
        let end = min(offset, upper)
        result.fields.append(Field((from + 1)..<end, hasEscape: hasEscape, form: .quoted))
        return endOfToken(bytes, min(end + 1, upper), upper)
    }
}
