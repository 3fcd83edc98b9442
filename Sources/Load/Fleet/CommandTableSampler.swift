import LineProtocol

/// X: holds lines of a load against the dialect's command table, at no cost for the steady state.
///
/// Lines of operators on their way into their rooms are all looked at, and so are lines that are no answer and no
/// text and that the table does not take, and lines that are too long. Of the others, which are the most by far, the
/// first ``wholeMax`` are looked at and then one of ``oneOf``. Nothing is allocated for a line that breaks nothing.
struct CommandTableSampler: Sendable {
    /// So many lines are all looked at, whatever they are.
    static let wholeMax: UInt64 = 256
    /// Then one of so many: a prime, so that it falls into step with no room.
    static let oneOf = 251

    private var ledger: CommandTableTally?
    private let dialect: Dialect
    /// From so many lines on the next one is looked at.
    private(set) var next: UInt64
    /// The number of the line that was looked at last.
    private(set) var last: UInt64 = 0
    /// How many lines of the server were looked at.
    private var looks: UInt64 = 0
    private var actions: UInt8 = 0

    /// One that looks, or does not.
    init(_ dialect: Dialect, isOn: Bool) {
        self.dialect = dialect
        ledger = isOn ? CommandTableTally(dialect) : nil
        next = isOn ? 0 : .max
    }

    /// Takes the line of that number, wherever it is of interest.
    mutating func note(_ bytes: Span<UInt8>, _ frame: Frame, number: UInt64) {
        guard last != number else { return }
        last = number
        looks += 1
        ledger?.note(frame, in: bytes, from: .fromServer)
    }

    /// Takes one of many lines that are of no interest by themselves.
    mutating func sample(_ bytes: Span<UInt8>, _ frame: Frame, number: UInt64) {
        guard ledger != nil else { return }
        next = number < Self.wholeMax ? number + 1 : number + UInt64(Self.oneOf)
        note(bytes, frame, number: number)
    }

    /// Whether no line was sent for this action yet.
    func isFirst(_ action: LoadAction) -> Bool { actions & Self.bit(action) == 0 }

    /// Takes the first line of an action.
    mutating func noteSent(_ bytes: [UInt8], for action: LoadAction) {
        actions |= Self.bit(action)
        noteSent(bytes)
    }

    private static func bit(_ action: LoadAction) -> UInt8 {
        1 << action.rawValue
    }

    /// Takes what the first operator says on its way: all say the same.
    mutating func noteSetUp(_ bytes: [UInt8], by index: Int) {
        if index == 0 { noteSent(bytes) }
    }

    private mutating func noteSent(_ bytes: [UInt8]) {
        guard ledger != nil else { return }
        var framer = LineFramer(dialect, direction: .fromClient)
        framer.append(bytes.span)
        while let frame = framer.next() {
            ledger?.note(frame, in: framer.buffer.span, from: .fromClient)
        }
    }

    /// What was found in so many lines of the server; nil if nobody looked.
    func report(of lines: UInt64) -> SchemaReport? {
        guard var report = ledger?.report else { return nil }
        guard lines > looks else { return report }
        report.lines += Int(clamping: lines - looks)
        report.sampledOneOf = Self.oneOf
        return report
    }
}
