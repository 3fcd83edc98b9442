/// Divides lines by a dialect's field syntax.
public struct LineSplitter: Sendable {
    let separator: UInt8
    /// A second byte that separates (a tab beside a blank), or the same one.
    let separator2: UInt8
    let syntax: FieldSyntax
    /// The byte after which one byte is never a separator.
    let escape: UInt8?
    /// The byte that stands for itself when doubled.
    let doubled: UInt8?
    let percent: UInt8?
    let mark: (byte: UInt8, codeBytes: Int)?
    let isHeaderFrame: Bool
    /// Whether lines are as plain as LiveChat's: one separator, nothing but fields.
    let isPlain: Bool

    public init(_ dialect: Dialect) {
        syntax = dialect.syntax
        separator = syntax.separators.first ?? ASCII.blank
        separator2 = syntax.separators.count > 1 ? syntax.separators[1] : separator
        var escape: UInt8?
        var doubled: UInt8?
        var percent: UInt8?
        let rule = syntax.keyValue == nil ? dialect.escaping.field : dialect.escaping.value
        switch rule {
        case .table(let table): escape = table.escape
        case .doubling(let byte, _): doubled = byte
        case .percent: percent = ASCII.percent
        case .quotes, .none: break
        }
        self.escape = escape
        self.doubled = doubled
        self.percent = percent
        if case .mark(let byte, let codeBytes) = dialect.framing.grouping {
            mark = (byte, codeBytes)
        } else {
            mark = nil
        }
        if case .headerFrame = dialect.framing.unit {
            isHeaderFrame = true
        } else {
            isHeaderFrame = false
        }
        isPlain =
            syntax.separators.count == 1 && !syntax.separatorRuns && syntax.verb == .first
            && syntax.sourceMarker == nil && syntax.tags == nil && syntax.trailingMarker == nil
            && syntax.keyValue == nil && !syntax.quotes && doubled == nil && mark == nil
            && !isHeaderFrame
    }

    /// Divides the line in `range` of `bytes` into `result`.
    public func split(_ bytes: Span<UInt8>, _ range: Range<Int>, into result: inout SplitLine) {
        result.line = range
        result.tags = nil
        result.source = nil
        result.continues = false
        result.fields.removeAll(keepingCapacity: true)
        guard range.lowerBound >= 0, range.upperBound <= bytes.count else {
            result.line = 0..<0
            result.verb = 0..<0
            return
        }
        if isPlain {
            splitPlain(bytes, range, &result)
        } else {
            splitParts(bytes, range, &result)
        }
    }

    /// The loop for command and fields divided by one byte, each separator ending a field.
    private func splitPlain(_ bytes: Span<UInt8>, _ range: Range<Int>, _ result: inout SplitLine) {
        let escape = escape.map(UInt16.init) ?? 0x100
        let marker = percent.map(UInt16.init) ?? escape
        var lower = range.lowerBound
        var place = lower
        var hasEscape = false
        var isVerb = true
        let upper = range.upperBound
        while place < upper {
            // In bounds: `split` has checked the range.
            let byte = unsafe bytes[unchecked: place]
            if byte == separator {
                if isVerb {
                    result.verb = lower..<place
                    isVerb = false
                } else {
                    result.fields.append(Field(lower..<place, hasEscape: hasEscape))
                }
                hasEscape = false
                lower = place + 1
            } else if UInt16(byte) == marker {
                hasEscape = true
                if UInt16(byte) == escape { place += 1 }
            }
            place += 1
        }
        if isVerb {
            result.verb = lower..<upper
        } else {
            result.fields.append(Field(lower..<upper, hasEscape: hasEscape))
        }
    }
}
