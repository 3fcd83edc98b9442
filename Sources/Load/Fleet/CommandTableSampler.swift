import LineProtocol

/// Checks received lines against the dialect's command table at no cost in the steady state.
///
/// Every line is checked while operators set up, if it is neither an answer nor a message and not
/// in the table, or if it is too long. Of the rest, the vast majority, the first ``wholeMax`` are
/// checked and then one in ``oneOf``. Valid lines cause no allocation.
struct CommandTableSampler: Sendable {
    /// Number of lines that are all checked.
    static let wholeMax: UInt64 = 256
    /// Sampling interval after that: a prime, so it does not align with room sizes.
    static let oneOf = 251

    private var ledger: CommandTableTally?
    private let dialect: Dialect
    /// Line number from which the next line is sampled.
    private(set) var next: UInt64
    /// Number of the line checked last.
    private(set) var last: UInt64 = 0
    /// Number of server lines checked.
    private var looks: UInt64 = 0
    private var actions: UInt8 = 0

    /// Creates a sampler; `isOn: false` checks nothing.
    init(_ dialect: Dialect, isOn: Bool) {
        self.dialect = dialect
        ledger = isOn ? CommandTableTally(dialect) : nil
        next = isOn ? 0 : .max
    }

    /// Checks the line with this number in any case.
    mutating func note(_ bytes: Span<UInt8>, _ frame: Frame, number: UInt64) {
        guard last != number else { return }
        last = number
        looks += 1
        ledger?.note(frame, in: bytes, from: .fromServer)
    }

    /// Checks the line if it is due for sampling.
    mutating func sample(_ bytes: Span<UInt8>, _ frame: Frame, number: UInt64) {
        guard ledger != nil else { return }
        next = number < Self.wholeMax ? number + 1 : number + UInt64(Self.oneOf)
        note(bytes, frame, number: number)
    }

    func isFirst(_ action: LoadAction) -> Bool { actions & Self.bit(action) == 0 }

    /// Checks the first line sent for an action.
    mutating func noteSent(_ bytes: [UInt8], for action: LoadAction) {
        actions |= Self.bit(action)
        noteSent(bytes)
    }

    private static func bit(_ action: LoadAction) -> UInt8 {
        1 << action.rawValue
    }

    /// Checks what the first operator sends during setup; all operators send the same.
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

    /// Returns the findings for `lines` server lines; nil if nothing was checked.
    func report(of lines: UInt64) -> SchemaReport? {
        guard var report = ledger?.report else { return nil }
        guard lines > looks else { return report }
        report.lines += Int(clamping: lines - looks)
        report.sampledOneOf = Self.oneOf
        return report
    }
}
