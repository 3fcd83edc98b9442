extension SecretScanner {
    /// Adds the ranges of secrets that contain tags of HTML or XML, control sequences of terminals, or
    /// characters that were deleted or underlined, such as `<b>hun</b>ter2`. Each part of a secret may
    /// have any length.
    mutating func addMarkup(_ bytes: [UInt8], isData: Bool, to found: inout [Range<Int>]) {
        guard let (view, hasUnderscores) = TextView.withoutMarkup(bytes, underlines: false) else {
            return
        }
        found += spellings(in: view, isData: isData).map(view.range)
        // An underscore after a backspace either replaces a character or underlines it.
        if hasUnderscores, let (view, _) = TextView.withoutMarkup(bytes, underlines: true) {
            found += spellings(in: view, isData: isData).map(view.range)
        }
    }

    /// Returns the ranges of secrets in a view and of their parts, except for encoded ones.
    private mutating func spellings(in view: TextView, isData: Bool) -> [Range<Int>] {
        var reader = EscapeReader(view.bytes)
        var ranges = spellings(in: &reader, isData: isData)
        addParts(&reader, to: &ranges)
        steps += view.bytes.count + reader.steps
        return ranges
    }

    /// Adds the ranges of secrets in numbers with groups of digits, such as `7,527,043,798,416`.
    mutating func addGroupedNumbers(_ bytes: [UInt8], to found: inout [Range<Int>]) {
        guard let view = TextView.withoutSeparators(bytes) else { return }
        found += lists(in: view.bytes).map { view.range($0.range) }
        steps += view.bytes.count
    }

    /// Adds the ranges of secrets that continue from one row of a dump to the next, in its numbers or
    /// in its column with text.
    mutating func addDumps(_ bytes: [UInt8], _ depth: Int, to found: inout [Range<Int>]) {
        var rows: [DumpRow] = []
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(where: ASCIIText.isLineEnd) ?? bytes.count
            let row = DumpRow(bytes, start..<end)
            if let row, let last = rows.last, row.address > last.address {
                rows.append(row)
            } else if row != nil || end > start {
                addDump(bytes, rows, depth, to: &found)
                rows = row.map { [$0] } ?? []
            }
            start = end + 1
        }
        addDump(bytes, rows, depth, to: &found)
    }

    private mutating func addDump(
        _ bytes: [UInt8], _ rows: [DumpRow], _ depth: Int, to found: inout [Range<Int>]
    ) {
        guard rows.count > 1 else { return }
        var (numbers, text) = (TextView(), TextView())
        for row in rows {
            numbers.append(bytes, row.numbers)
            if let last = row.numbers.last { numbers.append(UInt8(ascii: " "), at: last) }
            text.append(bytes, row.text)
        }
        var ranges: [Range<Int>] = []
        addHexadecimal(numbers.bytes, depth, to: &ranges)
        // In a long list, the bytes of a secret often occur in order with others between them.
        ranges += lists(in: numbers.bytes).filter(\.isGapless).map(\.range)
        found += ranges.flatMap(numbers.pieces)
        steps += numbers.bytes.count
        found += spellings(in: text, isData: depth > 0).flatMap(text.pieces)
    }
}
