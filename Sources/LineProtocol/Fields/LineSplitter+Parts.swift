extension LineSplitter {
    /// Divides a line that may have tags, a source, a trailing field, keys or rows.
    func splitParts(_ bytes: Span<UInt8>, _ range: Range<Int>, _ result: inout SplitLine) {
        guard syntax.verb != .none else {
            result.verb = range.lowerBound..<range.lowerBound
            result.fields.append(Field(range, hasEscape: true))
            return
        }
        var place = range.lowerBound
        let upper = range.upperBound
        if let tags = syntax.tags, place < upper, bytes[place] == tags.marker {
            let end = endOfToken(bytes, place, upper)
            result.tags = (place + 1)..<end
            place = skipSeparators(bytes, end, upper)
        }
        if let marker = syntax.sourceMarker, place < upper, bytes[place] == marker {
            let end = endOfToken(bytes, place, upper)
            result.source = (place + 1)..<end
            place = skipSeparators(bytes, end, upper)
        } else if syntax.separatorRuns {
            place = skipSeparators(bytes, place, upper)
        }
        place = splitVerb(bytes, place, upper, &result)
        if syntax.separatorRuns {
            splitRuns(bytes, place, upper, &result)
        } else if result.verb.isEmpty || place < upper {
            // The separator after the command opens the first field; without a command, the line does.
            splitEach(bytes, result.verb.isEmpty ? place : place + 1, upper, &result)
        }
    }

    @inline(__always)
    func isSeparator(_ byte: UInt8) -> Bool { byte == separator || byte == separator2 }

    private func endOfToken(_ bytes: Span<UInt8>, _ from: Int, _ upper: Int) -> Int {
        var place = from
        while place < upper, !isSeparator(bytes[place]) { place += 1 }
        return place
    }

    private func skipSeparators(_ bytes: Span<UInt8>, _ from: Int, _ upper: Int) -> Int {
        var place = from
        while place < upper, isSeparator(bytes[place]) { place += 1 }
        return place
    }

    /// Finds the command and returns the place after it.
    private func splitVerb(
        _ bytes: Span<UInt8>, _ from: Int, _ upper: Int, _ result: inout SplitLine
    ) -> Int {
        var end = endOfToken(bytes, from, upper)
        if let mark, from + mark.codeBytes < end, bytes[from + mark.codeBytes] == mark.byte {
            result.continues = true
            end = from + mark.codeBytes
        } else if syntax.verb == .firstUnlessKeyValue, let keyValue = syntax.keyValue {
            for place in from..<end
            where bytes[place] == keyValue.assignment || bytes[place] == keyValue.rowSeparator {
                result.verb = from..<from
                return from
            }
        } else if isHeaderFrame, end > from, bytes[end - 1] == ASCII.cr {
            result.verb = from..<(end - 1)
            return end
        }
        result.verb = from..<end
        return end
    }

    /// Fields between runs of separators, and a trailing field.
    private func splitRuns(
        _ bytes: Span<UInt8>, _ from: Int, _ upper: Int, _ result: inout SplitLine
    ) {
        var place = from
        while true {
            place = skipSeparators(bytes, place, upper)
            guard place < upper else { return }
            if let marker = syntax.trailingMarker {
                if bytes[place] == marker {
                    result.fields.append(
                        Field((place + 1)..<upper, hasEscape: true, form: .trailing))
                    return
                }
                if result.fields.count == syntax.fieldsMax - 1 {
                    result.fields.append(Field(place..<upper, hasEscape: true, form: .trailing))
                    return
                }
            }
            place = appendField(bytes, place, upper, &result)
        }
    }

    /// Fields that each separator ends, empty ones included.
    private func splitEach(
        _ bytes: Span<UInt8>, _ from: Int, _ upper: Int, _ result: inout SplitLine
    ) {
        var place = from
        while place <= upper {
            place = appendField(bytes, place, upper, &result)
            guard place < upper else { return }
            place += 1
        }
    }

    /// Appends the field that starts at `from` and returns the place of the separator that ends it.
    private func appendField(
        _ bytes: Span<UInt8>, _ from: Int, _ upper: Int, _ result: inout SplitLine
    ) -> Int {
        if syntax.quotes, from < upper, bytes[from] == ASCII.quote {
            return appendQuoted(bytes, from, upper, &result)
        }
        var row = Int(result.fields.last?.row ?? 0)
        var lower = from
        var place = from
        var keyUpper = -1
        var hasEscape = false
        while place < upper {
            let byte = bytes[place]
            if byte == doubled, isSeparator(byte), place + 1 < upper, bytes[place + 1] == byte {
                hasEscape = true
                place += 1
            } else if isSeparator(byte) {
                break
            } else if byte == syntax.keyValue?.rowSeparator {
                appendKeyed(bytes, lower..<place, keyUpper, row, hasEscape, &result)
                row += 1
                lower = place + 1
                keyUpper = -1
                hasEscape = false
            } else if byte == escape {
                hasEscape = true
                place += 1
            } else if byte == doubled || byte == percent {
                hasEscape = true
            } else if keyUpper < 0, byte == syntax.keyValue?.assignment {
                keyUpper = place
            }
            place += 1
        }
        place = min(place, upper)
        var end = place
        if isHeaderFrame, end > lower, bytes[end - 1] == ASCII.cr { end -= 1 }
        if isHeaderFrame, end == lower { return place }
        appendKeyed(bytes, lower..<end, keyUpper, row, hasEscape, &result)
        return place
    }

    private func appendKeyed(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ keyUpper: Int, _ row: Int, _ hasEscape: Bool,
        _ result: inout SplitLine
    ) {
        if keyUpper >= 0 {
            result.fields.append(
                Field(range, keyUpper: keyUpper, row: row, hasEscape: hasEscape, form: .keyValue))
        } else if let marker = syntax.keyValue?.optionMarker, let first = range.first,
            bytes[first] == marker
        {
            result.fields.append(
                Field((first + 1)..<range.upperBound, row: row, hasEscape: hasEscape, form: .option)
            )
        } else {
            result.fields.append(Field(range, row: row, hasEscape: hasEscape))
        }
    }

    /// A field in double quotes: up to the closing one that no backslash stands before.
    private func appendQuoted(
        _ bytes: Span<UInt8>, _ from: Int, _ upper: Int, _ result: inout SplitLine
    ) -> Int {
        var place = from + 1
        while place < upper, bytes[place] != ASCII.quote {
            place += bytes[place] == ASCII.backslash ? 2 : 1
        }
        let end = min(place, upper)
        result.fields.append(Field((from + 1)..<end, hasEscape: true, form: .quoted))
        return endOfToken(bytes, min(end + 1, upper), upper)
    }
}
