/// Divides lines in which only separators, escapes and the byte at a field's start matter: the fast way of
/// ``LineSplitter``.
///
/// It looks at sixteen bytes at a time and stops only at separators.
struct FieldScan: Sendable {
    private let separator: SIMD16<UInt8>
    private let separator2: SIMD16<UInt8>
    /// The byte that opens an escape in a field, or the separator if none does.
    private let marker: SIMD16<UInt8>
    private let hasMarker: Bool
    /// Whether the byte after the marker has another meaning.
    private let isPairwise: Bool
    private let hasHead: Bool
    private let runs: Bool
    private let tagMarker: UInt8?
    private let sourceMarker: UInt8?
    /// -1: none.
    private let trailingMarker: Int
    private let trailingEscape: UInt8?
    private let fieldsMax: Int

    /// Room for as many fields as lines mostly have.
    private static let fieldsUsual = 16

    /// - Parameters:
    ///   - escape: the byte that keeps a separator after it from separating.
    ///   - marker: the byte that opens an escape: the same, or one that only has to be noticed.
    init(
        _ syntax: FieldSyntax, separator: UInt8, separator2: UInt8, escape: UInt8?,
        marker: UInt8?, trailingEscape: UInt8?
    ) {
        self.separator = SIMD16(repeating: separator)
        self.separator2 = SIMD16(repeating: separator2)
        self.marker = SIMD16(repeating: marker ?? separator)
        hasMarker = marker != nil
        isPairwise = escape != nil
        hasHead = syntax.tags != nil || syntax.sourceMarker != nil || syntax.separatorRuns
        runs = syntax.separatorRuns
        tagMarker = syntax.tags?.marker
        sourceMarker = syntax.sourceMarker
        trailingMarker = syntax.trailingMarker.map(Int.init) ?? -1
        self.trailingEscape = trailingEscape
        fieldsMax = max(1, syntax.fieldsMax)
    }

    /// Divides the line in `range`, which must lie in `bytes`.
    func split(
        _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ result: inout SplitLine
    ) {
        guard let base = bytes.baseAddress else {
            result.removeAll()
            return
        }
        var tags: Range<Int>?
        var source: Range<Int>?
        var verb = 0..<0
        unsafe result.fields.fill(capacity: Self.fieldsUsual, blank: Field(0..<0)) { fields, room in
            var line = unsafe Cursor(
                bytes: base, upper: range.upperBound, room: bytes.count, next: range.lowerBound)
            var lower = range.lowerBound
            if hasHead { unsafe lower = head(&line, lower, &tags, &source) }
            let end = unsafe nextSeparator(&line)
            verb = lower..<max(lower, end)
            let count =
                unsafe runs
                ? splitRuns(&line, end &+ 1, fields, room)
                : splitEach(&line, end &+ 1, fields, room)
            if unsafe line.hasMarker { unsafe notice(line, fields, count) }
            return count
        }
        result.line = range
        result.verb = verb
        result.tags = tags
        result.source = source
        result.continues = false
    }

    /// A line, and the separators in it that are still to come.
    @unsafe private struct Cursor {
        let bytes: UnsafePointer<UInt8>
        let upper: Int
        /// How many bytes may be read, of this line or others.
        let room: Int
        /// Where the bytes start that have not been looked at.
        var next: Int
        /// Where those start that `separators` tells of.
        var start = 0
        var separators: UInt64 = 0
        var hasMarker = false
        /// The place after an escape byte that was the last one looked at.
        var escaped = -1
    }

    /// The place of the next separator, or the line's end.
    @inline(__always)
    private func nextSeparator(_ line: inout Cursor) -> Int {
        while unsafe line.separators == 0 {
            guard unsafe line.next < line.upper else { return unsafe line.upper }
            unsafe look(&line)
        }
        let place = unsafe line.start &+ line.separators.trailingZeroBitCount
        unsafe line.separators &= line.separators &- 1
        return place
    }

    /// Looks at the next 64 bytes.
    @inline(__always)
    private func look(_ line: inout Cursor) {
        let start = unsafe line.next
        let end = unsafe min(start &+ 64, line.upper)
        var separators: UInt64 = 0
        var seen = SIMD2<UInt64>.zero
        var place = start
        while place < end {
            let block =
                unsafe place &+ Block.count <= line.room
                ? Block(line.bytes, place) : Block(line.bytes, place, upTo: line.room)
            let matches = block.matches(separator) | block.matches(separator2)
            seen |= block.matches(marker)
            separators |=
                Block.bits(matches) &<< UInt64(truncatingIfNeeded: place &- start)
            place &+= Block.count
        }
        if end &- start < 64 { separators &= Word.lowBits(end &- start) }
        unsafe line.start = start
        unsafe line.next = end
        unsafe line.separators = separators
        guard hasMarker else { return }
        if unsafe seen[0] | seen[1] != 0 || line.escaped == start { unsafe dropEscaped(&line) }
    }

    /// Drops the separators that an escape byte stands before.
    @inline(never)
    private func dropEscaped(_ line: inout Cursor) {
        let start = unsafe line.start
        var separators = unsafe line.separators
        var place = start
        if unsafe line.escaped == start {
            separators &= ~1
            place &+= 1
        }
        let end = unsafe line.next
        while place < end {
            if unsafe line.bytes[place] == marker[0] {
                unsafe line.hasMarker = true
                guard isPairwise else { return }
                place &+= 1
                let bit = UInt64(truncatingIfNeeded: place &- start)
                if bit < 64 { separators &= ~(1 &<< bit) }
            }
            place &+= 1
        }
        unsafe line.escaped = place > end ? end : -1
        unsafe line.separators = separators
    }

    /// Marks the fields that have to be unescaped, in a line that has an escape somewhere.
    @inline(never)
    private func notice(
        _ line: Cursor, _ fields: UnsafeMutablePointer<Field>, _ count: Int?
    ) {
        for place in 0..<(count ?? 0) where unsafe fields[place].form == .plain {
            unsafe fields[place].hasEscape = fields[place].range.contains {
                unsafe line.bytes[$0] == marker[0]
            }
        }
    }

    /// Takes tags and source off the line's start and returns the place where the command may start.
    @inline(__always)
    private func head(
        _ line: inout Cursor, _ from: Int, _ tags: inout Range<Int>?, _ source: inout Range<Int>?
    ) -> Int {
        var lower = from
        let upper = unsafe line.upper
        if let tagMarker, lower < upper, unsafe line.bytes[lower] == tagMarker {
            tags = unsafe (lower &+ 1)..<nextSeparator(after: lower, &line)
            lower = unsafe endOfSeparators(&line, tags?.upperBound ?? lower)
        }
        if let sourceMarker, lower < upper, unsafe line.bytes[lower] == sourceMarker {
            source = unsafe (lower &+ 1)..<nextSeparator(after: lower, &line)
            lower = unsafe endOfSeparators(&line, source?.upperBound ?? lower)
        } else if runs {
            lower = unsafe endOfSeparators(&line, lower)
        }
        return lower
    }

    /// The place of the next separator behind `place`, or the line's end.
    @inline(__always)
    private func nextSeparator(after place: Int, _ line: inout Cursor) -> Int {
        let end = unsafe nextSeparator(&line)
        return end == place ? unsafe nextSeparator(&line) : end
    }

    /// The first place from `from` on where no separator stands; those before it are passed over.
    @inline(__always)
    private func endOfSeparators(_ line: inout Cursor, _ from: Int) -> Int {
        var place = from
        while unsafe place < line.upper, unsafe isSeparator(line.bytes[place]) { place &+= 1 }
        // Of a run, the cursor has given at most the first.
        if unsafe line.next <= place {
            unsafe line.separators = 0
            unsafe line.next = place
        } else {
            unsafe line.separators &= ~Word.lowBits(place &- line.start)
        }
        return place
    }

    @inline(__always)
    private func isSeparator(_ byte: UInt8) -> Bool {
        byte == separator[0] || byte == separator2[0]
    }

    /// Fields that each separator ends, empty ones included. Returns how many there are, or nil if there is
    /// no room for them.
    @inline(__always)
    private func splitEach(
        _ line: inout Cursor, _ from: Int, _ fields: UnsafeMutablePointer<Field>, _ room: Int
    ) -> Int? {
        let upper = unsafe line.upper
        var lower = from
        var count = 0
        while lower <= upper {
            guard count < room else { return nil }
            if lower < upper, unsafe takesRest(line.bytes[lower], count) {
                unsafe fields[count] = rest(line, lower)
                return count &+ 1
            }
            let end = unsafe nextSeparator(&line)
            unsafe fields[count] = Field(lower, end, false)
            count &+= 1
            lower = end &+ 1
        }
        return count
    }

    /// Fields between runs of separators.
    @inline(__always)
    private func splitRuns(
        _ line: inout Cursor, _ from: Int, _ fields: UnsafeMutablePointer<Field>, _ room: Int
    ) -> Int? {
        let upper = unsafe line.upper
        var lower = from
        var count = 0
        while lower < upper {
            guard count < room else { return nil }
            let first = unsafe line.bytes[lower]
            if takesRest(first, count), !isSeparator(first) {
                unsafe fields[count] = rest(line, lower)
                return count &+ 1
            }
            let end = unsafe nextSeparator(&line)
            if end > lower {
                unsafe fields[count] = Field(lower, end, false)
                count &+= 1
            }
            lower = end &+ 1
        }
        return count
    }

    /// Whether a field that starts with this byte takes the rest of the line.
    @inline(__always)
    private func takesRest(_ first: UInt8, _ count: Int) -> Bool {
        Int(first) == trailingMarker || count == fieldsMax &- 1
    }

    /// The field that takes the rest of the line.
    @inline(__always)
    private func rest(_ line: Cursor, _ from: Int) -> Field {
        let lower = unsafe Int(line.bytes[from]) == trailingMarker ? from &+ 1 : from
        var field = unsafe Field(lower..<line.upper, form: .trailing)
        if let trailingEscape {
            field.hasEscape = unsafe (lower..<line.upper).contains {
                unsafe line.bytes[$0] == trailingEscape
            }
        }
        return field
    }
}
