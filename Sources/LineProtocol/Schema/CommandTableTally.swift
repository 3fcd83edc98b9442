/// Line counts for each command of a dialect, and the lines that violate the dialect.
///
/// Invalid lines are reported only if they come from servers, because tests send invalid lines on
/// purpose. Reported lines are grouped by problem and command, and the first line of each group is
/// kept as an example.
public struct CommandTableTally: Sendable {
    /// The maximum number of groups of invalid lines.
    public static let kindsMax = 100
    /// The maximum number of bytes kept of an example line.
    public static let exampleBytesMax = 512
    /// The maximum number of leading bytes of a command that are compared and stored.
    static let verbBytesMax = 32

    private let decoder: MessageDecoder
    private let check: SchemaCheck
    private let limits: Framing.Limits
    private let accepted: [Terminator]
    private let tagMarker: UInt8?
    /// True if lines end with a terminator, so that a line without one is incomplete.
    public let isTerminated: Bool
    private var message = Message()
    private var sent: [Int]
    private var received: [Int]
    private var lines = 0
    private var breaks = FlawList()
    private var cuts = FlawList()

    /// Creates an empty tally for a dialect.
    public init(_ dialect: Dialect) {
        decoder = MessageDecoder(dialect)
        check = SchemaCheck(dialect)
        limits = dialect.framing.fromServer.limits
        accepted = dialect.framing.fromServer.accepted
        isTerminated = dialect.framing.unit == .line
        tagMarker = dialect.syntax[.fromServer].tags?.marker
        sent = Array(repeating: 0, count: dialect.commands.signatures.count)
        received = sent
    }

    /// Counts a line in a framer's buffer.
    ///
    /// Allocates nothing unless the line starts a new group of invalid lines.
    ///
    /// - Parameter isChecked: False to only count a line that was changed and thus cannot be checked.
    public mutating func note(
        _ frame: Frame, in buffer: Span<UInt8>, from direction: Direction, isChecked: Bool = true,
        at location: @autoclosure () -> SchemaReport.Location? = nil
    ) {
        lines &+= 1
        decoder.decode(buffer, frame, from: direction, into: &message)
        guard direction == .fromServer else {
            if let command = message.command { sent[command] &+= 1 }
            return
        }
        if let command = message.command { received[command] &+= 1 }
        guard isChecked, SchemaCheck.isSuspicious(frame, message) else { return }
        let verb = buffer.extracting(verbRange)
        if check.isBroken(frame, message) {
            let flaw = flaw(frame)
            if breaks.count(flaw, verb) { return }
            breaks.add(flaw, found(flaw, verb, buffer.extracting(frame.line), location()))
        } else if check.wasTruncated(frame, message), !cuts.count(.cut, verb) {
            cuts.add(.cut, found(.cut, verb, buffer.extracting(frame.line), location()))
        }
    }

    /// Counts a single line. `line` does not include the terminator, which is `terminatorBytes`
    /// bytes long, or the last `omittedBytes` bytes. If bytes were omitted, the line is counted only
    /// if it is longer than allowed, because the rest of it cannot be checked.
    public mutating func note(
        line: [UInt8], payload: [UInt8]? = nil, terminatorBytes: Int = 0, omittedBytes: Int = 0,
        from direction: Direction, isChecked: Bool = true,
        at location: @autoclosure () -> SchemaReport.Location? = nil
    ) {
        var frame = Frame(line: line, payload: payload)
        frame.terminator = accepted.first { $0.count == terminatorBytes }
        if direction == .fromServer {
            frame.issue = issue(line, terminatorBytes: terminatorBytes, omittedBytes: omittedBytes)
        }
        if omittedBytes > 0, frame.issue == nil { return }
        guard let payload else {
            return note(
                frame, in: line.span, from: direction, isChecked: isChecked, at: location())
        }
        let buffer = line + payload
        note(frame, in: buffer.span, from: direction, isChecked: isChecked, at: location())
    }

    /// Returns an issue if the line exceeds a limit, otherwise nil. Used for lines that have not
    /// gone through a framer.
    private func issue(
        _ line: [UInt8], terminatorBytes: Int, omittedBytes: Int
    ) -> FrameIssue? {
        var count = line.count + omittedBytes + (limits.countsTerminator ? terminatorBytes : 0)
        if limits.tagBytesMax > 0, let tagMarker, line.first == tagMarker {
            let tags = (line.firstIndex(of: ASCII.space) ?? line.count - 1) + 1
            if tags > limits.tagBytesMax {
                return .tagsOverLimit(excess: tags - limits.tagBytesMax)
            }
            count -= tags
        }
        let excess = count - limits.lineBytesMax
        return excess > 0 ? .lineOverLimit(excess: excess) : nil
    }

    /// A kind of problem, without the numbers that differ from line to line.
    private enum Flaw: Hashable {
        case frame(FrameIssue)
        case unknownCommand
        case notJSON
        case tooFew(Int)
        case tooMany(Int)
        case badValue(Int)
        case badEscape(Int)
        case cut
    }

    /// The lines with problems, grouped by problem and command.
    private struct FlawList {
        private(set) var found: [SchemaReport.Deviation] = []
        private var flaws: [Flaw] = []
        private(set) var others = 0

        /// Counts a line. Returns false if the line needs a new group, which the caller must add.
        mutating func count(_ flaw: Flaw, _ verb: Span<UInt8>) -> Bool {
            for index in flaws.indices
            where flaws[index] == flaw && Self.equal(verb, found[index].command) {
                found[index].count += 1
                return true
            }
            if found.count >= kindsMax { others += 1 }
            return found.count >= kindsMax
        }

        mutating func add(_ flaw: Flaw, _ item: SchemaReport.Deviation) {
            flaws.append(flaw)
            found.append(item)
        }

        private static func equal(_ span: Span<UInt8>, _ bytes: [UInt8]) -> Bool {
            guard span.count == bytes.count else { return false }
            for index in bytes.indices where span[index] != bytes[index] { return false }
            return true
        }
    }

    /// Range of the command's leading bytes that are compared and stored.
    private var verbRange: Range<Int> {
        let verb = message.split.verb
        return verb.lowerBound..<min(verb.upperBound, verb.lowerBound + Self.verbBytesMax)
    }

    @inline(never)
    private func found(
        _ flaw: Flaw, _ verb: Span<UInt8>, _ line: Span<UInt8>, _ location: SchemaReport.Location?
    ) -> SchemaReport.Deviation {
        SchemaReport.Deviation(
            kind: kind(flaw), command: verb.array(0..<verb.count), words: words(flaw), count: 1,
            example: line.array(0..<min(line.count, Self.exampleBytesMax)), location: location)
    }

    /// Returns the first problem that violates the dialect.
    private func flaw(_ frame: Frame) -> Flaw {
        if let issue = frame.issue { return .frame(Self.numberless(issue)) }
        return switch check.firstBreak(message) {
        case .unknownCommand, nil: .unknownCommand
        case .notJSON: .notJSON
        case .tooFew(let missing): .tooFew(missing)
        case .tooMany(let extra): .tooMany(extra)
        case .invalidArgument(let index): .badValue(index)
        case .badEscape(let index, _): .badEscape(index)
        }
    }

    private static func numberless(_ issue: FrameIssue) -> FrameIssue {
        switch issue {
        case .lineOverLimit: .lineOverLimit(excess: 0)
        case .tagsOverLimit: .tagsOverLimit(excess: 0)
        case .payloadOverLimit: .payloadOverLimit(length: 0)
        case .bufferOverLimit: .bufferOverLimit(refused: 0)
        case .payloadLengthInvalid, .payloadNotTerminated, .unterminated: issue
        }
    }

    private func kind(_ flaw: Flaw) -> String {
        switch flaw {
        case .frame: "framing"
        case .unknownCommand: "unknown-command"
        case .notJSON: "not-json"
        case .tooFew: "too-few"
        case .tooMany: "too-many"
        case .badValue: "bad-value"
        case .badEscape: "bad-escape"
        case .cut: "cut"
        }
    }

    private func words(_ flaw: Flaw) -> String {
        let signature = message.command.map { decoder.commands.signatures[$0] }
        switch flaw {
        case .frame(.lineOverLimit): return "line too long"
        case .frame(.tagsOverLimit): return "tags too long"
        case .frame(.payloadOverLimit): return "payload too long"
        case .frame(.bufferOverLimit): return "bytes lost"
        case .frame(let issue): return SchemaCheck.words(issue)
        case .unknownCommand: return SchemaCheck.words(.unknownCommand, nil)
        case .notJSON: return "not a JSON object"
        case .tooFew(let missing): return SchemaCheck.words(.tooFew(missing: missing), signature)
        case .tooMany(let extra): return SchemaCheck.words(.tooMany(extra: extra), signature)
        case .badValue(let index): return SchemaCheck.words(.invalidArgument(index), signature)
        case .badEscape(let index):
            let name = signature.flatMap { signature in
                signature.arguments.indices.contains(index) ? signature.arguments[index].name : nil
            }
            return "\(name ?? "argument \(index + 1)") contains an invalid escape"
        case .cut: return "cut at \(limits.lineBytesMax) bytes"
        }
    }

    /// The results so far.
    public var report: SchemaReport {
        var report = SchemaReport()
        report.lines = lines
        report.breaks = breaks.found
        report.otherBreaks = breaks.others
        report.cuts = cuts.found
        report.otherCuts = cuts.others
        report.commands = decoder.commands.signatures.indices.map { index in
            let signature = decoder.commands.signatures[index]
            return SchemaReport.Use(
                name: signature.name, wire: Self.shown(signature.wire),
                isClients: signature.direction.allows(.fromClient),
                isServers: signature.direction.allows(.fromServer), sent: sent[index],
                received: received[index])
        }
        return report
    }

    private static func shown(_ wire: WireName) -> String {
        switch wire {
        case .exact(let bytes): String(decoding: bytes, as: UTF8.self)
        case .digits(let count): count.map { String(repeating: "#", count: $0) } ?? "#…"
        case .prefix(let bytes): String(decoding: bytes, as: UTF8.self) + "…"
        case .none, .prompted: ""
        }
    }
}
