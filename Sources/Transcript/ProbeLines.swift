import DialectModel
import LineProtocol

/// The commands that a dialect's `probe` sends, and the commands that answer it.
struct ProbeLines {
    private let sent: [[UInt8]]
    private let answers: [[UInt8]]

    init(_ dialect: BoundDialect) {
        sent = dialect["probe"]?.sends.compactMap(dialect.verb(of:)) ?? []
        answers = dialect["probe"]?.awaits.compactMap(dialect.verb(of:)) ?? []
    }

    func isSent(_ line: RecordedLine) -> Bool {
        line.direction == .fromClient && sent.contains(line.verbBytes)
    }

    func isAnswer(_ line: RecordedLine) -> Bool {
        line.direction == .fromServer && answers.contains(line.verbBytes)
    }
}
