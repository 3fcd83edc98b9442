/// Splitter that divides the lines of one direction into tags, source, command and fields.
public struct LineSplitter: Sendable {
    let divider: LineDivider

    /// Creates a splitter for the dialect's lines in one direction.
    public init(_ dialect: Dialect, direction: Direction) {
        divider = LineDivider(dialect, direction)
    }

    /// Splits the line in `range` of `bytes` into `result`.
    ///
    /// The result is empty if `range` is not inside `bytes` or if its offsets do not fit into 32
    /// bits.
    public func split(_ bytes: Span<UInt8>, _ range: Range<Int>, into result: inout SplitLine) {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe divider.split(buffer, range, into: &result)
        }
    }
}

/// Implementation of ``LineSplitter``: a dialect's field syntax, prepared for splitting.
///
/// It is a class so that it is passed by reference instead of being copied.
final class LineDivider: Sendable {
    let syntax: FieldSyntax
    /// The second separator (such as a tab in addition to a space); equal to `separator` if there
    /// is none.
    let separator2: UInt8
    let separator: UInt8
    /// The byte that starts a two-byte escape sequence, or nil.
    let escape: UInt8?
    /// The bytes that may follow `escape` in an escape sequence.
    let escapable: ByteSet
    /// The byte that is escaped by doubling it, or nil.
    let doubled: UInt8?
    let percent: UInt8?
    /// The byte that starts an escape sequence in a trailing field; nil if trailing fields are not
    /// escaped.
    let trailingEscape: UInt8?
    let continuationMarker: (byte: UInt8, codeBytes: Int)?
    let isHeaderFrame: Bool
    /// True if the fast path in ``FieldScan`` can handle the syntax.
    let isPlain: Bool
    let scan: FieldScan
    /// Splitter for JSON objects; nil for other dialects.
    let json: JSONDivider?
    /// Splitter for RESP values; nil for other dialects.
    let resp: RESPDivider?

    init(_ dialect: Dialect, _ direction: Direction) {
        syntax = dialect.syntax[direction]
        let escaping = dialect.escaping[direction]
        separator = syntax.separators.first ?? ASCII.space
        separator2 = syntax.separators.count > 1 ? syntax.separators[1] : separator
        var escape: UInt8?
        var escapable = ByteSet()
        var doubled: UInt8?
        var percent: UInt8?
        switch escaping.argumentRule(in: syntax) {
        case .table(let table):
            escape = table.escape
            escapable = ByteSet(table.meaning.keys)
        case .doubling(let byte, _): doubled = byte
        case .percent: percent = ASCII.percent
        case .quotes, .json, .none: break
        }
        self.escape = escape
        self.escapable = escapable
        self.doubled = doubled
        self.percent = percent
        trailingEscape = escaping.trailing.marker
        if case .mark(let byte, let codeBytes) = dialect.framing.grouping {
            continuationMarker = (byte, codeBytes)
        } else {
            continuationMarker = nil
        }
        if case .headerFrame = dialect.framing.unit {
            isHeaderFrame = true
        } else {
            isHeaderFrame = false
        }
        isPlain =
            syntax.verb == .first && syntax.keyValue == nil && !syntax.quotes && doubled == nil
            && syntax.json == nil
            && continuationMarker == nil && !isHeaderFrame && separator2 == separator
            && (escape == nil || escapable.contains(separator))
        scan = FieldScan(
            syntax, separator: separator, escape: escape, marker: escape ?? percent,
            trailingEscape: trailingEscape)
        json = syntax.json.map { JSONDivider($0) }
        resp = syntax.resp ? RESPDivider() : nil
    }

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
        } else if let json {
            unsafe json.split(base, range, room: bytes.count, &result)
        } else {
            if let resp, unsafe resp.split(bytes.span, range, &result) { return }
            result.removeAll()
            result.parts.line = range
            unsafe splitParts(bytes.span, range, &result)
        }
    }
}
