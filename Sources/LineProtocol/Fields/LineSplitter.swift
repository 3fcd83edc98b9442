/// Divides lines by a dialect's field syntax.
public struct LineSplitter: Sendable {
    let divider: LineDivider

    /// A splitter of the dialect's lines.
    public init(_ dialect: Dialect) {
        divider = LineDivider(dialect)
    }

    /// Divides the line in `range` of `bytes` into `result`.
    ///
    /// A range outside `bytes`, or one whose places do not fit 32 bits, gives an empty line.
    public func split(_ bytes: Span<UInt8>, _ range: Range<Int>, into result: inout SplitLine) {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe divider.split(buffer, range, into: &result)
        }
    }
}

/// What a splitter knows of a dialect.
///
/// A class, so that it is reached by one reference and not handed over piece by piece.
final class LineDivider: Sendable {
    let syntax: FieldSyntax
    /// A second byte that separates (a tab beside a blank), or the same one.
    let separator2: UInt8
    let separator: UInt8
    /// The byte after which one byte has another meaning.
    let escape: UInt8?
    /// The separators that an escape before them keeps from separating.
    let escapable: ByteSet
    /// The byte that stands for itself when doubled.
    let doubled: UInt8?
    let percent: UInt8?
    /// The byte whose presence in a trailing field means that it has to be unescaped.
    let trailingEscape: UInt8?
    let mark: (byte: UInt8, codeBytes: Int)?
    let isHeaderFrame: Bool
    /// Whether nothing has to be looked at but separators, escapes and what stands at a field's start.
    let isPlain: Bool
    let scan: FieldScan

    init(_ dialect: Dialect) {
        syntax = dialect.syntax
        separator = syntax.separators.first ?? ASCII.blank
        separator2 = syntax.separators.count > 1 ? syntax.separators[1] : separator
        var escape: UInt8?
        var escapable = ByteSet()
        var doubled: UInt8?
        var percent: UInt8?
        let rule = syntax.keyValue == nil ? dialect.escaping.field : dialect.escaping.value
        switch rule {
        case .table(let table):
            escape = table.escape
            escapable = ByteSet(table.meaning.keys)
        case .doubling(let byte, _): doubled = byte
        case .percent: percent = ASCII.percent
        case .quotes, .none: break
        }
        self.escape = escape
        self.escapable = escapable
        self.doubled = doubled
        self.percent = percent
        trailingEscape = dialect.escaping.trailing.marker
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
            syntax.verb == .first && syntax.keyValue == nil && !syntax.quotes && doubled == nil
            && mark == nil && !isHeaderFrame && separator2 == separator
            && (escape == nil || escapable.contains(separator))
        scan = FieldScan(
            syntax, separator: separator, escape: escape, marker: escape ?? percent,
            trailingEscape: trailingEscape)
    }

    /// Divides the line in `range` of `bytes` into `result`.
    @inline(__always)
    func split(
        _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, into result: inout SplitLine
    ) {
        guard range.lowerBound >= 0, range.upperBound <= bytes.count,
            range.upperBound < Int(Int32.max), let base = bytes.baseAddress
        else {
            result.removeAll()
            return
        }
        if isPlain {
            unsafe scan.split(base, range, room: bytes.count, &result)
        } else {
            result.removeAll()
            result.parts.line = range
            unsafe splitParts(bytes.span, range, &result)
        }
    }
}
