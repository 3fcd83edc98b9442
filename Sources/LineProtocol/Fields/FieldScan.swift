/// Fast implementation of ``LineSplitter`` for dialects with a single separator and with markers
/// only at the start of fields. Handles escape sequences, and finds separators with `memchr`.
///
/// It is a class so that its members are accessed through one reference instead of being copied.
final class FieldScan: Sendable {
    private let separator: UInt8
    private let separators: UInt64
    /// The byte that starts an escape sequence in a field, whether or not it can escape a
    /// separator.
    private let marker: UInt8
    private let hasMarker: Bool
    /// True if separators can be escaped. An escaped separator is part of the field.
    private let protects: Bool
    private let runs: Bool
    private let hasHead: Bool
    private let tagMarker: UInt8?
    private let sourceMarker: UInt8?
    private let trailingMarker: UInt8
    private let hasTrailing: Bool
    private let trailingEscape: UInt8?
    private let fieldsMax: Int

    /// Initial capacity for fields; enough for most lines.
    private static let fieldsUsual = 16

    /// Creates a scanner.
    ///
    /// - Parameters:
    ///   - escape: the byte that escapes a separator; nil if separators cannot be escaped.
    ///   - marker: the byte that starts an escape sequence, whether or not it can escape a
    ///     separator.
    init(
        _ syntax: FieldSyntax, separator: UInt8, escape: UInt8?, marker: UInt8?,
        trailingEscape: UInt8?
    ) {
        self.separator = separator
        separators = Word.filled(separator)
        self.marker = marker ?? 0
        hasMarker = marker != nil
        protects = escape != nil
        hasHead = syntax.tags != nil || syntax.sourceMarker != nil || syntax.separatorRuns
        runs = syntax.separatorRuns
        tagMarker = syntax.tags?.marker
        sourceMarker = syntax.sourceMarker
        trailingMarker = syntax.trailingMarker ?? 0
        hasTrailing = syntax.trailingMarker != nil
        self.trailingEscape = trailingEscape
        fieldsMax = max(1, syntax.fieldsMax)
    }

    /// Splits the line in `range`. The first `room` bytes of the buffer are readable.
    @_optimize(speed)
    func split(
        _ bytes: UnsafePointer<UInt8>, _ range: Range<Int>, room readable: Int,
        _ result: inout SplitLine
    ) {
        var line = unsafe Line(bytes: bytes, upper: range.upperBound, room: readable)
        unsafe line.nextMarker =
            hasMarker
            ? firstOffset(of: marker, bytes, range.lowerBound, line.upper) : line.upper
        var lower = range.lowerBound
        result.parts = LineParts()
        if hasHead { unsafe lower = head(&line, lower, &result) }
        let end = unsafe endOfToken(&line, lower)
        result.parts.line = range
        result.parts.verb = unsafe Range(uncheckedBounds: (lower, end))
        var room = Self.fieldsUsual
        while true {
            let fields = unsafe result.fields.storageForWriting(room)
            room = max(room, result.fields.capacity)
            if let count = unsafe splitFields(line, end &+ 1, fields, room) {
                result.fields.setCount(count)
                return
            }
            // Too many fields: start again with more capacity.
            room *= 2
        }
    }

    /// Splits the part of the line after the command. Returns the number of fields, or nil if
    /// `fields` is too small.
    @_optimize(speed)
    @inline(__always)
    private func splitFields(
        _ line: Line, _ from: Int, _ fields: UnsafeMutablePointer<Field>, _ room: Int
    ) -> Int? {
        var line = unsafe line
        if runs { return unsafe splitRuns(&line, from, fields, room) }
        return unsafe hasTrailing
            ? splitEach(&line, from, fields, room, hasTrailing: true)
            : splitEach(&line, from, fields, room, hasTrailing: false)
    }

    /// The buffer that contains the line being split.
    @unsafe private struct Line {
        let bytes: UnsafePointer<UInt8>
        let upper: Int
        /// The number of readable bytes in the buffer.
        let room: Int
        /// Offset of the next escape byte ahead of the scan, or the end of the line.
        var nextMarker = 0
    }

    /// Returns the offset of the first separator at or after `from`, or the end of the line.
    @inline(__always)
    private func nextSeparator(_ line: Line, _ from: Int) -> Int {
        let upper = unsafe line.upper
        var from = from
        // Most fields are short, and checking eight bytes is cheaper than calling memchr.
        if unsafe from &+ 8 <= line.room {
            let word = unsafe UnsafeRawPointer(line.bytes + from).loadUnaligned(as: UInt64.self)
            let match = Word.firstMatch(UInt64(littleEndian: word), separators)
            if match != 0 { return min(from &+ match.trailingZeroBitCount &>> 3, upper) }
            from &+= 8
        }
        return unsafe firstOffset(of: separator, line.bytes, from, upper)
    }

    /// Returns the offset of the separator that ends the token starting at `from`, or the end of
    /// the line.
    @inline(__always)
    private func endOfToken(_ line: inout Line, _ from: Int) -> Int {
        let end = unsafe nextSeparator(line, from)
        return unsafe line.nextMarker < end ? endOfEscapedToken(&line, from, end) : end
    }

    /// Returns the end of a token that contains an escape sequence. The separator at `separator`
    /// may be escaped.
    @inline(never)
    private func endOfEscapedToken(_ line: inout Line, _ from: Int, _ separator: Int) -> Int {
        var end = separator
        while unsafe protects && end < line.upper && isEscaped(line, end, from) {
            end = unsafe nextSeparator(line, end &+ 1)
        }
        unsafe line.nextMarker = firstOffset(of: marker, line.bytes, end, line.upper)
        return end
    }

    /// Returns true if an odd number of escape bytes precedes `offset`. In each pair, the first
    /// escapes the second.
    private func isEscaped(_ line: Line, _ offset: Int, _ from: Int) -> Bool {
        var first = offset
        while first > from, unsafe line.bytes[first &- 1] == marker { first &-= 1 }
        return (offset &- first) & 1 == 1
    }

    /// Splits off tags and source, and returns the offset where the command may start.
    @inline(__always)
    private func head(_ line: inout Line, _ from: Int, _ result: inout SplitLine) -> Int {
        var lower = from
        let upper = unsafe line.upper
        if let tagMarker, lower < upper, unsafe line.bytes[lower] == tagMarker {
            let end = unsafe endOfToken(&line, lower &+ 1)
            result.parts.tags = (lower &+ 1)..<end
            lower = unsafe endOfSeparators(line, end)
        }
        if let sourceMarker, lower < upper, unsafe line.bytes[lower] == sourceMarker {
            let end = unsafe endOfToken(&line, lower &+ 1)
            result.parts.source = (lower &+ 1)..<end
            lower = unsafe endOfSeparators(line, end)
        } else if runs {
            lower = unsafe endOfSeparators(line, lower)
        }
        return lower
    }

    /// Returns the first offset at or after `from` that is not a separator.
    @inline(__always)
    private func endOfSeparators(_ line: Line, _ from: Int) -> Int {
        var offset = from
        while unsafe offset < line.upper && line.bytes[offset] == separator { offset &+= 1 }
        return offset
    }

    /// Splits at each separator, so that fields may be empty. Returns the number of fields, or nil
    /// if `fields` is too small.
    @inline(__always)
    private func splitEach(
        _ line: inout Line, _ from: Int, _ fields: UnsafeMutablePointer<Field>, _ room: Int,
        hasTrailing: Bool
    ) -> Int? {
        let upper = unsafe line.upper
        let last = min(room, fieldsMax) &- 1
        var lower = from
        var count = 0
        while lower <= upper {
            let isRest = unsafe hasTrailing && lower < upper && line.bytes[lower] == trailingMarker
            if isRest || count == last {
                return unsafe appendLast(&line, lower, isRest, fields, room, count)
            }
            let marker = unsafe line.nextMarker
            let end = unsafe endOfToken(&line, lower)
            unsafe (fields + count).initialize(to: Field(lower, end, marker < end))
            count &+= 1
            lower = end &+ 1
        }
        return count
    }

    /// Splits at runs of separators. Returns the number of fields, or nil if `fields` is too small.
    @inline(__always)
    private func splitRuns(
        _ line: inout Line, _ from: Int, _ fields: UnsafeMutablePointer<Field>, _ room: Int
    ) -> Int? {
        let upper = unsafe line.upper
        let last = min(room, fieldsMax) &- 1
        var lower = from
        var count = 0
        while lower < upper {
            let first = unsafe line.bytes[lower]
            if first == separator {
                lower &+= 1
                continue
            }
            let isRest = hasTrailing && first == trailingMarker
            if isRest || count == last {
                return unsafe appendLast(&line, lower, isRest, fields, room, count)
            }
            let marker = unsafe line.nextMarker
            let end = unsafe endOfToken(&line, lower)
            unsafe (fields + count).initialize(to: Field(lower, end, marker < end))
            count &+= 1
            lower = end &+ 1
        }
        return count
    }

    /// Appends the field that extends to the end of the line, and returns the number of fields.
    /// Returns nil if the storage is full and more fields may follow.
    @_optimize(speed)
    @inline(never)
    private func appendLast(
        _ line: inout Line, _ from: Int, _ isMarked: Bool, _ fields: UnsafeMutablePointer<Field>,
        _ room: Int, _ count: Int
    ) -> Int? {
        let upper = unsafe line.upper
        guard isMarked || count == fieldsMax &- 1 else { return nil }
        let lower = isMarked ? from &+ 1 : from
        let hasEscape =
            trailingEscape.map { unsafe firstOffset(of: $0, line.bytes, lower, upper) < upper }
            ?? false
        // Without a marker, an empty field is an ordinary field rather than a trailing one.
        let form = lower < upper || isMarked ? Field.Form.trailing : .plain
        unsafe fields[count] = Field(lower..<upper, hasEscape: hasEscape, form: form)
        return count &+ 1
    }
}
