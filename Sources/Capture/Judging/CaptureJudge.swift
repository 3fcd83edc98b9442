package import DialectModel
package import LineProtocol

/// A sink that judges the server's lines by the rules that need no stimulus.
package final class CaptureJudge: ConversationSink {
    /// The results so far. Complete once the capture has ended.
    package var judgement: CaptureJudgement { collector.judgement }
    private let collector = JudgementCollector()
    private var deliveries: DeliveriesSink
    private let schema: SchemaCheck
    private let signatures: [CommandSignature]
    private let forbidden: ByteSet
    private var secrets: SecretArguments
    private var servers: Set<IPEndpoint> = []
    /// Maximum number of servers that are counted.
    private static let serversMax = 64

    package init(_ dialect: BoundDialect) {
        deliveries = DeliveriesSink(dialect, collector)
        schema = SchemaCheck(dialect.dialect)
        signatures = dialect.dialect.commands.signatures
        secrets = SecretArguments(dialect.dialect)
        let escaping = dialect.dialect.escaping.fromServer
        // Separators are not forbidden everywhere.
        let rules = [escaping.field.forbiddenBytes, escaping.trailing.forbiddenBytes]
        forbidden = ByteSet(
            (0..<0x20).filter { byte in
                byte != ASCII.tab && rules.allSatisfy { $0.contains(byte) }
            })
    }

    // MARK: Lines

    package func line(
        _ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>
    ) {
        deliveries.line(line, message, in: bytes)
        guard line.marks.isEmpty else { return }
        if message.command != nil { collector.judgement.knownLines += 1 }
        if servers.count < Self.serversMax { servers.insert(line.connection.server) }
        guard line.direction == .fromServer else { return }
        for rule in [CapturedRule.length, .framing, .commands] {
            collector.judgement[rule].judged += 1
        }
        if message.command != nil { collector.judgement[.arguments].judged += 1 }
        collector.judgement[.escapes].judged += 1
        judgeCharacters(line, message, in: bytes)
        guard SchemaCheck.isSuspicious(line.frame, message) else { return }
        judgeFrame(line, message, in: bytes)
        guard !schema.wasTruncated(line.frame, message) else { return }
        let signature = message.command.map { signatures[$0] }
        for issue in message.issues where schema.breaks(issue, message) {
            add(
                line, violates: rule(of: issue), kind(of: issue),
                SchemaCheck.words(issue, signature), in: bytes)
        }
        if message.command == nil, message.issues.isEmpty {
            add(line, violates: .commands, "unknown-command", "unknown command", in: bytes)
        }
    }

    private func judgeCharacters(
        _ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>
    ) {
        guard forbidden != [] else { return }
        collector.judgement[.characters].judged += 1
        let range = line.frame.line
        guard let offset = range.first(where: { forbidden.contains(bytes[$0]) }) else { return }
        let digits = String(bytes[offset], radix: 16)
        let hex = (digits.count < 2 ? "0" : "") + digits
        add(
            line, violates: .characters, "forbidden",
            "byte 0x\(hex) at offset \(offset - range.lowerBound)", in: bytes)
    }

    private func judgeFrame(
        _ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>
    ) {
        guard let issue = line.frame.issue else { return }
        let words = SchemaCheck.words(issue)
        switch issue {
        case .lineOverLimit, .tagsOverLimit, .payloadOverLimit, .bufferOverLimit:
            add(line, violates: .length, "too-long", words, in: bytes)
        case .payloadLengthInvalid, .payloadNotTerminated, .unterminated:
            add(line, violates: .framing, "incomplete", words, in: bytes)
        }
    }

    private func rule(of issue: MessageIssue) -> CapturedRule {
        switch issue {
        case .unknownCommand, .notJSON: .commands
        case .badEscape: .escapes
        case .tooFew, .tooMany, .invalidArgument: .arguments
        }
    }

    private func kind(of issue: MessageIssue) -> String {
        switch issue {
        case .unknownCommand: "unknown-command"
        case .notJSON: "not-json"
        case .tooFew: "too-few"
        case .tooMany: "too-many"
        case .invalidArgument: "bad-value"
        case .badEscape: "bad-escape"
        }
    }

    private func add(
        _ line: CapturedLine, violates rule: CapturedRule, _ kind: String, _ words: String,
        in bytes: Span<UInt8>
    ) {
        let text = secrets.masked(
            bytes.array(line.frame.line), payload: nil, from: line.direction
        ).line
        collector.judgement[rule].add(
            CapturedEvidence(
                packet: line.packet, connection: line.connection.number,
                operatorName: line.connection.operatorName, direction: line.direction,
                line: MessageReport.shortened(text, CaptureJudgement.lineBytesMax), kind: kind,
                words: words))
    }

    // MARK: Other events

    package func started(at time: Int64) {
        collector.judgement.startedAt = time
        deliveries.started(at: time)
    }

    package func opened(_ connection: CapturedConnection, _ packet: PacketInfo) {
        deliveries.opened(connection, packet)
    }

    package func note(
        _ note: ConversationNote, _ connection: CapturedConnection, _ direction: Direction?,
        _ packet: PacketInfo
    ) {
        deliveries.note(note, connection, direction, packet)
    }

    package func ended(
        _ connection: CapturedConnection, _ end: ConnectionEnd, _ packet: PacketInfo
    ) {
        deliveries.ended(connection, end, packet)
    }

    package func finish() {
        deliveries.finish()
        collector.judgement.server =
            servers.count == 1
            ? servers.first?.text ?? ""
            : servers.count < Self.serversMax ? "\(servers.count) servers" : "many servers"
    }
}

/// A collector of problems with deliveries, as violations of rules.
private final class JudgementCollector: DeliveryReceiver {
    var judgement = CaptureJudgement()

    func take(_ report: MessageReport) {
        for name in report.missing { addMissing(name, report) }
        for _ in report.missing.count..<max(report.missing.count, report.missingCount) {
            addMissing([], report)
        }
        for finding in report.findings { add(finding, report) }
    }

    func take(_ finding: DeliveryFinding) { add(finding, nil) }

    func finish(_ counts: DeliveryCounts) {
        judgement[.answers].judged =
            counts.answers + counts.entries + counts[.unanswered] + counts[.notEntered]
        let decided = counts.due - counts.unknown
        judgement[.delivery].judged = decided
        judgement[.order].judged = counts.received
        judgement[.source].judged = counts.received + counts.others + counts[.unsent]
    }

    private func addMissing(_ name: [UInt8], _ report: MessageReport) {
        judgement[.delivery].add(
            CapturedEvidence(
                packet: report.packet, connection: report.connection,
                operatorName: report.sender, direction: .fromClient, line: report.text,
                kind: DeliveryFinding.Kind.missing.rawValue,
                words:
                    "\(Self.text(name)) did not receive this message to \(Self.text(report.target))"
            ))
    }

    private func add(_ finding: DeliveryFinding, _ report: MessageReport?) {
        judgement[CapturedRule(finding.kind)].add(
            CapturedEvidence(
                packet: finding.packet, connection: finding.connection,
                operatorName: finding.operatorName,
                direction: finding.kind == .unanswered || finding.kind == .notEntered
                    ? .fromClient : .fromServer,
                line: finding.text, kind: finding.kind.rawValue,
                words: Self.words(finding, report)))
    }

    private static func text(_ bytes: [UInt8]) -> String {
        bytes.isEmpty ? "another member" : String(decoding: bytes, as: UTF8.self)
    }

    private static func words(_ finding: DeliveryFinding, _ report: MessageReport?) -> String {
        let sender = text(report?.sender ?? finding.other)
        let other = "“" + String(decoding: finding.other, as: UTF8.self) + "”"
        return switch finding.kind {
        case .missing: "a message from \(sender) did not arrive"
        case .duplicate: "a message from \(sender) arrived again"
        case .altered: "\(sender) sent \(other)"
        case .leaked: "a message from \(sender) arrived at an operator who is not a recipient"
        case .outOfOrder: "a message from \(sender) arrived after its later message \(other)"
        case .differentOrder:
            "a message from \(sender) arrived after \(other), but at other operators before"
        case .unsent: "\(text(finding.other)) has not sent this message"
        case .wrongSender:
            "\(sender) sent this message, but it arrived as one from \(text(finding.other))"
        case .unanswered: "a probe with this token was not answered"
        case .answeredTwice: "a probe with this token was answered again"
        case .notEntered: "a request to enter \(text(finding.target)) was not answered"
        }
    }
}

extension EscapeRule {
    /// The bytes that can be sent neither literally nor escaped.
    fileprivate var forbiddenBytes: ByteSet {
        switch self {
        case .none(let forbidden), .doubling(_, let forbidden): forbidden
        case .table(let table): table.forbidden
        default: []
        }
    }
}
