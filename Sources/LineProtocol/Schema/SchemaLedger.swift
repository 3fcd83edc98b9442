/// X: holds lines against a dialect's command table, and counts.
///
/// Lines of clients are counted only: what a test sends may be wrong on purpose. Lines of servers that break
/// the dialect are kept by kind, the first of each as it stood.
public struct SchemaLedger: Sendable {
    /// So many kinds of breaks are told apart.
    public static let kindsMax = 100
    /// So much of a line is kept.
    public static let exampleBytesMax = 512
    /// So many bytes of an unknown command tell it from others.
    static let verbBytesMax = 32

    private let decoder: MessageDecoder
    private let check: SchemaCheck
    private let limits: Framing.Limits
    private let tagMarker: UInt8?
    /// Whether a line has an end of its own; then one without is a part of a line.
    public let isTerminated: Bool
    private var message = Message()
    private var sent: [Int]
    private var received: [Int]
    private var lines = 0
    private var breaks: [SchemaReport.Break] = []
    private var otherBreaks = 0

    /// A ledger for a dialect.
    public init(_ dialect: Dialect) {
        decoder = MessageDecoder(dialect)
        check = SchemaCheck(dialect)
        limits = dialect.framing.fromServer.limits
        isTerminated = dialect.framing.unit == .line
        tagMarker = dialect.syntax.tags?.marker
        sent = Array(repeating: 0, count: dialect.commands.signatures.count)
        received = sent
    }

    /// Takes a line that stands in a framer's buffer.
    public mutating func note(_ frame: Frame, in buffer: Span<UInt8>, from direction: Direction) {
        lines &+= 1
        decoder.decode(buffer, frame, from: direction, into: &message)
        guard direction == .fromServer else {
            if let command = message.command { sent[command] &+= 1 }
            return
        }
        if let command = message.command { received[command] &+= 1 }
        if SchemaCheck.isSuspicious(frame, message), check.isBroken(frame, message) {
            noteBreak(frame, buffer)
        }
    }

    /// Takes a line that stands alone.
    ///
    /// - Parameter terminatorBytes: how long the terminator was that is not in `line`.
    public mutating func note(
        line: [UInt8], payload: [UInt8]? = nil, terminatorBytes: Int = 0, from direction: Direction
    ) {
        let end = line.count + (payload?.count ?? 0)
        let frame = Frame(
            line: 0..<line.count, payload: payload.map { _ in line.count..<end }, whole: 0..<end,
            issue: direction == .fromServer ? issue(line, terminatorBytes) : nil)
        guard let payload else { return note(frame, in: line.span, from: direction) }
        let buffer = line + payload
        note(frame, in: buffer.span, from: direction)
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

    @inline(never)
    private mutating func noteBreak(_ frame: Frame, _ buffer: Span<UInt8>) {
        let signature = message.command.map { decoder.commands.signatures[$0] }
        let verb = buffer.array(message.split.verb)
        let command = Array(verb.prefix(Self.verbBytesMax))
        let (kind, words) = told(frame, signature)
        let same = breaks.firstIndex {
            $0.kind == kind && $0.command == command && $0.words == words
        }
        if let same {
            breaks[same].count += 1
        } else if breaks.count < Self.kindsMax {
            let example = buffer.array(frame.line).prefix(Self.exampleBytesMax)
            breaks.append(
                SchemaReport.Break(
                    kind: kind, command: command, words: words, count: 1, example: Array(example)))
        } else {
            otherBreaks += 1
        }
    }

    /// The first thing that breaks the dialect: its kind, and words without numbers that differ from line to line.
    private func told(
        _ frame: Frame, _ signature: CommandSignature?
    ) -> (kind: String, words: String) {
        if let issue = frame.issue { return ("framing", Self.words(issue)) }
        let words = check.breaks(frame, message).first ?? ""
        let issue = message.issues.first { SchemaCheck.words($0, signature) == words }
        switch issue {
        case .unknownCommand, nil:
            return ("unknown-command", SchemaCheck.words(.unknownCommand, nil))
        case .tooFew: return ("too-few", words)
        case .tooMany: return ("too-many", words)
        case .invalidArgument: return ("bad-value", words)
        case .badEscape(let place, _):
            return (
                "bad-escape", "\(signature?.arguments[place].name ?? "argument") has a bad escape"
            )
        }
    }

    /// Without numbers, so that what is of one kind is counted together.
    private static func words(_ issue: FrameIssue) -> String {
        switch issue {
        case .lineOverLimit: "line too long"
        case .tagsOverLimit: "tags too long"
        case .payloadOverLimit: "payload too long"
        case .bufferOverLimit: "bytes lost"
        default: SchemaCheck.words(issue)
        }
    }

    /// What was counted so far.
    public var report: SchemaReport {
        var report = SchemaReport()
        report.lines = lines
        report.breaks = breaks
        report.otherBreaks = otherBreaks
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
