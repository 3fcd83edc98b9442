import DialectModel

/// The lines that an operator has received, until a step consumes or skips them.
struct ReceivedLines {
    private(set) var inbox = Inbox()
    /// Number of lines skipped since the operator last consumed a line, and the last of them.
    private(set) var skipped = SkippedLines()
    /// The lines that a comparison compares: all lines received in the current round, except
    /// ignored ones.
    private(set) var outcome = Inbox()
    private var isComparing = false
    /// The lines that were waiting when a comparison started. They are kept for the steps after the
    /// comparison.
    private var setAside: [ReceivedLine] = []

    var byteCount: Int {
        inbox.byteCount + outcome.byteCount + setAside.reduce(0) { $0 + $1.byteCount }
    }

    /// Returns true if the lines exceed the limits.
    func isFlooded(_ limits: SessionLimits) -> Bool {
        max(inbox.count, outcome.count) >= limits.inboxLinesMax
            || max(inbox.byteCount, outcome.byteCount) >= limits.inboxBytesMax
    }

    mutating func append(_ line: ReceivedLine) {
        if isComparing, !line.isUnsolicited { outcome.append(line) }
        inbox.append(line)
    }

    /// Removes and returns the first line; nil if there is none.
    mutating func takeFirst() -> ReceivedLine? { inbox.takeFirst() }

    mutating func removeFirst(_ count: Int) { inbox.removeFirst(count) }

    /// Counts a line that no step consumes.
    ///
    /// - Parameter mismatch: How the line differs from the one that the step expects.
    mutating func skip(_ line: ReceivedLine, _ mismatch: Mismatch? = nil) {
        skipped.add(line, mismatch)
    }

    /// Forgets the skipped lines, because a step has consumed a line.
    mutating func resetSkipped() { skipped = SkippedLines() }

    /// Removes all lines except those accepted by `isKept`.
    mutating func keep(_ isKept: (ReceivedLine) -> Bool) {
        inbox.keep(isKept)
        setAside = setAside.filter(isKept)
    }

    /// Removes the lines of the previous connection.
    mutating func removeAll() {
        inbox.removeAll()
        setAside = []
        skipped = SkippedLines()
    }

    // MARK: Comparisons

    /// Sets aside the lines that wait for expectations, and starts collecting received lines.
    mutating func beginComparison() {
        isComparing = true
        setAside = Array(inbox.unread)
        _ = takeOutcome()
    }

    /// Returns the lines of a round, and starts the next one.
    mutating func takeOutcome() -> [ReceivedLine] {
        let lines = Array(outcome.unread)
        outcome.removeAll()
        inbox.removeAll()
        return lines
    }

    /// Replaces the lines received during the comparison with the lines that were set aside.
    mutating func endComparison() {
        isComparing = false
        inbox = Inbox(setAside)
        setAside = []
        outcome.removeAll()
    }
}

/// A queue of received lines that tracks their total size.
struct Inbox {
    private var lines: [ReceivedLine]
    /// Index of the first unconsumed line.
    private var start = 0
    private(set) var byteCount = 0

    init(_ lines: [ReceivedLine] = []) {
        self.lines = lines
        byteCount = lines.reduce(0) { $0 + $1.byteCount }
    }

    var count: Int { lines.count - start }

    var unread: ArraySlice<ReceivedLine> { lines[start...] }

    mutating func append(_ line: ReceivedLine) {
        lines.append(line)
        byteCount += line.byteCount
    }

    mutating func takeFirst() -> ReceivedLine? {
        guard start < lines.count else { return nil }
        let line = lines[start]
        // Release the line's bytes now rather than when the array is compacted.
        lines[start].bytes = []
        lines[start].payload = nil
        start += 1
        byteCount -= line.byteCount
        if start == lines.count || start > 1_024 {
            lines.removeFirst(start)
            start = 0
        }
        return line
    }

    mutating func removeFirst(_ count: Int) {
        for _ in 0..<count { _ = takeFirst() }
    }

    /// Removes all lines except those accepted by `isKept`.
    mutating func keep(_ isKept: (ReceivedLine) -> Bool) {
        self = Inbox(unread.filter(isKept))
    }

    mutating func removeAll() { self = Inbox() }
}

/// The number of received lines that no step consumed, and the last of these lines.
struct SkippedLines {
    var count = 0
    var last: ReceivedLine?
    /// The last line with the expected command, and how it differs from the expected line.
    var closest: (line: ReceivedLine, mismatch: Mismatch)?

    mutating func add(_ line: ReceivedLine, _ mismatch: Mismatch?) {
        count += 1
        last = line
        if let mismatch, !mismatch.isOtherCommand { closest = (line, mismatch) }
    }
}
