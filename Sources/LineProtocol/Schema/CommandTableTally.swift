/// X: holds lines against a dialect's command table, and counts.
///
/// Lines of clients are counted only: what a test sends may be wrong on purpose. Lines of servers that break
/// the dialect are kept by kind, the first of each as it stood.
public struct CommandTableTally: Sendable {
    /// So many kinds of breaks are told apart.
    public static let kindsMax = 100
    /// So much of a line is kept.
    public static let exampleBytesMax = 512
    /// So many bytes of an unknown command tell it from others.
    static let verbBytesMax = 32

    private let decoder: MessageDecoder
    private let check: SchemaCheck
    private let limits: Framing.Limits
    private let accepted: [Terminator]
    private let tagMarker: UInt8?
    /// Whether a line has an end of its own; then one without is a part of a line.
    public let isTerminated: Bool
    private var message = Message()
    private var sent: [Int]
    private var received: [Int]
    private var lines = 0
    private var breaks = FlawList()
    private var cuts = FlawList()

    /// A ledger for a dialect.
    public init(_ dialect: Dialect) {
        decoder = MessageDecoder(dialect)
        check = SchemaCheck(dialect)
        limits = dialect.framing.fromServer.limits
        accepted = dialect.framing.fromServer.accepted
        isTerminated = dialect.framing.unit == .line
        tagMarker = dialect.syntax.tags?.marker
        sent = Array(repeating: 0, count: dialect.commands.signatures.count)
        received = sent
    }

    /// Takes a line that stands in a framer's buffer.
    ///
    /// Nothing is allocated for it unless it breaks the dialect in a new way.
    public mutating func note(
        _ frame: Frame, in buffer: Span<UInt8>, from direction: Direction,
        at place: @autoclosure () -> SchemaReport.Place? = nil
    ) {
        lines &+= 1
        decoder.decode(buffer, frame, from: direction, into: &message)
        guard direction == .fromServer else {
            if let command = message.command { sent[command] &+= 1 }
            return
        }
        if let command = message.command { received[command] &+= 1 }
        guard SchemaCheck.isSuspicious(frame, message) else { return }
        let verb = buffer.extracting(verbRange)
        if check.isBroken(frame, message) {
            let flaw = flaw(frame)
            if breaks.count(flaw, verb) { return }
            breaks.add(flaw, found(flaw, verb, buffer.extracting(frame.line), place()))
        } else if check.wasCut(frame, message), !cuts.count(.cut, verb) {
            cuts.add(.cut, found(.cut, verb, buffer.extracting(frame.line), place()))
        }
    }

    /// Takes a line that stands alone.
    ///
    /// - Parameter terminatorBytes: how long the terminator was that is not in `line`.
    public mutating func note(
        line: [UInt8], payload: [UInt8]? = nil, terminatorBytes: Int = 0,
        from direction: Direction, at place: @autoclosure () -> SchemaReport.Place? = nil
    ) {
        let end = line.count + (payload?.count ?? 0)
        let frame = Frame(
            line: 0..<line.count, payload: payload.map { _ in line.count..<end }, whole: 0..<end,
            terminator: accepted.first { $0.count == terminatorBytes },
            issue: direction == .fromServer ? issue(line, terminatorBytes) : nil)
        guard let payload else { return note(frame, in: line.span, from: direction, at: place()) }
        let buffer = line + payload
        note(frame, in: buffer.span, from: direction, at: place())
    }

    /// Whether the line is too long, where nobody has told.
    private func issue(_ line: [UInt8], _ terminatorBytes: Int) -> FrameIssue? {
        var count = line.count + (limits.countsTerminator ? terminatorBytes : 0)
        if limits.tagBytesMax > 0, let tagMarker, line.first == tagMarker {
            let tags = (line.firstIndex(of: ASCII.blank) ?? line.count - 1) + 1
            if tags > limits.tagBytesMax {
                return .tagsOverLimit(excess: tags - limits.tagBytesMax)
            }
            count -= tags
        }
        let excess = count - limits.lineBytesMax
        return excess > 0 ? .lineOverLimit(excess: excess) : nil
    }

    /// What is wrong with a line, without the numbers that differ from line to line.
    private enum Flaw: Hashable {
        case frame(FrameIssue)
        case unknownCommand
        case tooFew(Int)
        case tooMany(Int)
        case badValue(Int)
        case badEscape(Int)
        case cut
    }

    /// Lines that have a flaw, by flaw and command.
    private struct FlawList {
        private(set) var found: [SchemaReport.Break] = []
        private var flaws: [Flaw] = []
        private(set) var others = 0

        /// Counts a line; false if there is none yet to be counted with, and room for it.
        mutating func count(_ flaw: Flaw, _ verb: Span<UInt8>) -> Bool {
            for place in flaws.indices
            where flaws[place] == flaw && Self.equal(verb, found[place].command) {
                found[place].count += 1
                return true
            }
            if found.count >= kindsMax { others += 1 }
            return found.count >= kindsMax
        }

        mutating func add(_ flaw: Flaw, _ item: SchemaReport.Break) {
            flaws.append(flaw)
            found.append(item)
        }

        private static func equal(_ span: Span<UInt8>, _ bytes: [UInt8]) -> Bool {
            guard span.count == bytes.count else { return false }
            for place in bytes.indices where span[place] != bytes[place] { return false }
            return true
        }
    }

    /// Where the command stands, as far as it tells lines apart.
    private var verbRange: Range<Int> {
        let verb = message.split.verb
        return verb.lowerBound..<min(verb.upperBound, verb.lowerBound + Self.verbBytesMax)
    }

    @inline(never)
    private func found(
        _ flaw: Flaw, _ verb: Span<UInt8>, _ line: Span<UInt8>, _ place: SchemaReport.Place?
    ) -> SchemaReport.Break {
        SchemaReport.Break(
            kind: kind(flaw), command: verb.array(0..<verb.count), words: words(flaw), count: 1,
            example: line.array(0..<min(line.count, Self.exampleBytesMax)), place: place)
    }

    /// The first thing that breaks the dialect.
    private func flaw(_ frame: Frame) -> Flaw {
        if let issue = frame.issue { return .frame(Self.numberless(issue)) }
        return switch check.firstBreak(message) {
        case .unknownCommand, nil: .unknownCommand
        case .tooFew(let missing): .tooFew(missing)
        case .tooMany(let extra): .tooMany(extra)
        case .invalidArgument(let place): .badValue(place)
        case .badEscape(let place, _): .badEscape(place)
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
        case .tooFew(let missing): return SchemaCheck.words(.tooFew(missing: missing), signature)
        case .tooMany(let extra): return SchemaCheck.words(.tooMany(extra: extra), signature)
        case .badValue(let place): return SchemaCheck.words(.invalidArgument(place), signature)
        case .badEscape(let place):
            let name = signature.flatMap { signature in
                signature.arguments.indices.contains(place) ? signature.arguments[place].name : nil
            }
            return "\(name ?? "argument \(place + 1)") has a bad escape"
        case .cut: return "cut at \(limits.lineBytesMax) bytes"
        }
    }

    /// What was counted so far.
    public var report: SchemaReport {
        var report = SchemaReport()
        report.lines = lines
        report.breaks = breaks.found
        report.otherBreaks = breaks.others
        report.cuts = cuts.found
        report.otherCuts = cuts.others
        report.commands = decoder.commands.signatures.indices.map { place in
            let signature = decoder.commands.signatures[place]
            return SchemaReport.Use(
                name: signature.name, wire: Self.shown(signature.wire),
                isClients: signature.direction.allows(.fromClient),
                isServers: signature.direction.allows(.fromServer), sent: sent[place],
                received: received[place])
        }
        return report
    }

    private static func shown(_ wire: WireName) -> String {
        switch wire {
        case .exact(let bytes): String(decoding: bytes, as: UTF8.self)
        case .digits(let count): String(repeating: "#", count: count)
        case .prefix(let bytes): String(decoding: bytes, as: UTF8.self) + "…"
        case .none: ""
        }
    }
}
