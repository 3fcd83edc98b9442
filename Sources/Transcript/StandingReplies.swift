import Diagnostics
import LineProtocol
import Scenario

/// The lines that a dialect's `login` answers by itself, such as a server's PING: a scenario repeats the
/// rules, and leaves out what they cover.
struct StandingReplies {
    /// The rules as they are written in a scenario.
    private(set) var rules: [String] = []
    private var asked: [[UInt8]] = []
    private var answers: [[UInt8]] = []

    init(_ dialect: Dialect, _ source: SourceText) {
        guard let login = dialect.behaviours["login"] else { return }
        let steps = ScenarioParser.parseFragment(
            Array(login.text.utf8), in: source, line: login.line, column: login.column
        ).steps
        let splitter = LineSplitter(dialect)
        for step in steps {
            guard case .standingReply(.wire(let pattern, _), .wire(let reply, _)) = step.kind else {
                continue
            }
            rules.append(
                String(decoding: source.bytes(in: step.range), as: UTF8.self))
            asked.append(Self.verb(pattern, splitter))
            answers.append(Self.verb(reply, splitter))
        }
    }

    /// Whether a rule answers the server's line.
    func isAsked(_ line: RecordedLine) -> Bool {
        line.direction == .fromServer && asked.contains(line.verbBytes)
    }

    /// Whether the client's line answers one that a rule answers; `open` counts those without answer.
    func isAnswer(_ line: RecordedLine, open: Int) -> Bool {
        open > 0 && line.direction == .fromClient && answers.contains(line.verbBytes)
    }

    private static func verb(_ template: Template, _ splitter: LineSplitter) -> [UInt8] {
        var line: [UInt8] = []
        for piece in template.pieces {
            if case .literal(let literal) = piece {
                line += literal.bytes
            } else {
                line.append(0x78)
            }
        }
        var split = SplitLine()
        splitter.split(line.span, 0..<line.count, into: &split)
        return Array(line[split.verb])
    }
}
