import LineProtocol

/// A sampler that checks received lines against the dialect's command table, at almost no cost once
/// the load test is running.
///
/// Lines received during setup, overlong lines, and lines missing from the table that are neither
/// answers nor messages are always checked. Of all other lines, the vast majority, the first
/// ``wholeMax`` are checked, and then one in every ``oneOf``. Checking a valid line allocates
/// nothing.
struct CommandTableSampler: Sendable {
    /// Number of lines checked before sampling starts.
    static let wholeMax: UInt64 = 256
    /// Sampling interval: one in this many lines is checked. It is prime, so sampling does not fall
    /// into step with room sizes.
    static let oneOf = 251

    private var ledger: CommandTableTally?
    private let dialect: Dialect
    /// Sequence number of the next line to sample.
    private(set) var next: UInt64
    /// Sequence number of the most recently checked line.
    private(set) var last: UInt64 = 0
    /// Number of server lines checked so far.
    private var looks: UInt64 = 0
    private var actions: UInt8 = 0

    /// Creates a sampler. If `isOn` is false, it checks nothing.
    init(_ dialect: Dialect, isOn: Bool) {
        self.dialect = dialect
        ledger = isOn ? CommandTableTally(dialect) : nil
        next = isOn ? 0 : .max
    }

    /// Checks the line with this number regardless of sampling.
    mutating func note(_ bytes: Span<UInt8>, _ frame: Frame, number: UInt64) {
        guard last != number else { return }
        last = number
        looks += 1
        ledger?.note(frame, in: bytes, from: .fromServer)
    }

    /// Checks the line if it is the next one to sample.
    mutating func sample(_ bytes: Span<UInt8>, _ frame: Frame, number: UInt64) {
        guard ledger != nil else { return }
        next = number < Self.wholeMax ? number + 1 : number + UInt64(Self.oneOf)
        note(bytes, frame, number: number)
    }

    @inline(__always)
    func isFirst(_ action: LoadAction) -> Bool { actions & Self.bit(action) == 0 }

    /// Counts the commands in the first lines sent for an action.
    mutating func noteSent(_ bytes: [UInt8], for action: LoadAction) {
        actions |= Self.bit(action)
        noteSent(bytes)
    }

    private static func bit(_ action: LoadAction) -> UInt8 {
        1 << action.rawValue
    }

    /// Counts the commands that the first operator sends during setup. All other operators send the
    /// same ones.
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

    /// Returns the findings; nil if no line was checked. `lines` is the number of lines received.
    func report(of lines: UInt64) -> SchemaReport? {
        guard var report = ledger?.report else { return nil }
        report.lines = Int(clamping: max(lines, looks))
        if lines > looks { report.sampledOneOf = Self.oneOf }
        return report
    }
}
