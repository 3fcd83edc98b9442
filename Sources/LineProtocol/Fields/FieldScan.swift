/// Divides lines in which only one separator, escapes and the byte at a field's start matter: the fast way
/// of ``LineSplitter``, from separator to separator with `memchr`.
///
/// A class, so that what it holds is reached by one reference and not handed over piece by piece.
final class FieldScan: Sendable {
    private let separator: UInt8
    private let separators: UInt64
    /// The byte that opens an escape in a field.
    private let marker: UInt8
    private let hasMarker: Bool
    /// Whether an escape keeps a separator after it from separating.
    private let protects: Bool
    private let runs: Bool
    private let hasHead: Bool
    private let tagMarker: UInt8?
    private let sourceMarker: UInt8?
    private let trailingMarker: UInt8
    private let hasTrailing: Bool
    private let trailingEscape: UInt8?
    private let fieldsMax: Int

    /// Room for as many fields as lines mostly have.
    private static let fieldsUsual = 16

    /// - Parameters:
    ///   - escape: the byte that keeps a separator after it from separating.
    ///   - marker: the byte that opens an escape: the same, or one that only has to be noticed.
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

    /// Divides the line in `range`; `room` bytes can be read, of this line and others.
    func split(
        _ bytes: UnsafePointer<UInt8>, _ range: Range<Int>, room readable: Int,
        _ result: inout SplitLine
    ) {
        var line = unsafe Line(bytes: bytes, upper: range.upperBound, room: readable)
        unsafe line.nextMarker =
            hasMarker
            ? firstPlace(of: marker, bytes, range.lowerBound, line.upper) : line.upper
        var lower = range.lowerBound
        result.parts = LineParts()
        if hasHead { unsafe lower = head(&line, lower, &result) }
        let end = unsafe endOfToken(&line, lower)
        result.parts.line = range
        result.parts.verb = unsafe Range(uncheckedBounds: (lower, end))
        var room = Self.fieldsUsual
        while true {
            let fields = unsafe result.fields.roomForWriting(room)
            room = max(room, result.fields.capacity)
            if let count = unsafe splitFields(line, end &+ 1, fields, room) {
                result.fields.setCount(count)
                return
            }
            // From the first field on with more room.
            room *= 2
        }
    }

    /// Divides what stands behind the command. Returns how many fields there are, or nil if there is no room
    /// for them.
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

    /// A line that is being divided.
    @unsafe private struct Line {
        let bytes: UnsafePointer<UInt8>
        let upper: Int
        /// How many bytes may be read, of this line and others.
        let room: Int
        /// The first place where an escape opens behind what has been looked at, or the line's end.
        var nextMarker = 0
    }

    /// The first separator from `from` on, or the line's end.
    @inline(__always)
    private func nextSeparator(_ line: Line, _ from: Int) -> Int {
        let upper = unsafe line.upper
        var from = from
        // Most fields are short: a call of memchr costs more than looking at eight bytes.
        if unsafe from &+ 8 <= line.room {
            let word = unsafe UnsafeRawPointer(line.bytes + from).loadUnaligned(as: UInt64.self)
            let match = Word.firstMatch(UInt64(littleEndian: word), separators)
            if match != 0 { return min(from &+ match.trailingZeroBitCount &>> 3, upper) }
            from &+= 8
        }
        return unsafe firstPlace(of: separator, line.bytes, from, upper)
    }

    /// The place of the separator that ends the token at `from`, or the line's end.
    @inline(__always)
    private func endOfToken(_ line: inout Line, _ from: Int) -> Int {
        let end = unsafe nextSeparator(line, from)
        return unsafe line.nextMarker < end ? endOfEscapedToken(&line, from, end) : end
    }

    /// The same for a token with an escape in it, in which there may be a separator at `separator`.
    @inline(never)
    private func endOfEscapedToken(_ line: inout Line, _ from: Int, _ separator: Int) -> Int {
        var end = separator
        while unsafe protects && end < line.upper && isEscaped(line, end, from) {
            end = unsafe nextSeparator(line, end &+ 1)
        }
        unsafe line.nextMarker = firstPlace(of: marker, line.bytes, end, line.upper)
        return end
    }

    /// Whether an odd number of escape bytes stand before `place`: of each two the first escapes the second.
    private func isEscaped(_ line: Line, _ place: Int, _ from: Int) -> Bool {
        var first = place
        while first > from, unsafe line.bytes[first &- 1] == marker { first &-= 1 }
        return (place &- first) & 1 == 1
    }

    /// Takes tags and source off the line's start and returns the place where the command may start.
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

    /// The first place from `from` on where no separator stands.
    @inline(__always)
    private func endOfSeparators(_ line: Line, _ from: Int) -> Int {
        var place = from
        while unsafe place < line.upper && line.bytes[place] == separator { place &+= 1 }
        return place
    }

    /// Fields that each separator ends, empty ones included. Returns how many there are, or nil if there is
    /// no room for them.
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

    /// Fields between runs of separators.
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

    /// Appends the field that takes the rest of the line and returns how many there are. Returns nil if it is
    /// the last only because there is no room for more.
    @inline(never)
    private func appendLast(
        _ line: inout Line, _ from: Int, _ isMarked: Bool, _ fields: UnsafeMutablePointer<Field>,
        _ room: Int, _ count: Int
    ) -> Int? {
        let upper = unsafe line.upper
        guard isMarked || count == fieldsMax &- 1 else { return nil }
        let lower = isMarked ? from &+ 1 : from
        let hasEscape =
            trailingEscape.map { unsafe firstPlace(of: $0, line.bytes, lower, upper) < upper }
            ?? false
        // Where nothing is left there is nothing to take: the field is like any other.
        let form = lower < upper || isMarked ? Field.Form.trailing : .plain
        unsafe fields[count] = Field(lower..<upper, hasEscape: hasEscape, form: form)
        return count &+ 1
    }
}
