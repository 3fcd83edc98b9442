import LineProtocol
import Results
import Session

/// Compares single replies with the command table, with no tolerance for surplus arguments.
struct ReplyTable {
    let dialect: Dialect
    private let decoder: MessageDecoder
    private let check: SchemaCheck
    private var message = Message()

    init(_ dialect: Dialect) {
        self.dialect = dialect
        decoder = MessageDecoder(dialect)
        check = SchemaCheck(dialect)
    }

    /// Returns the reply's command and how its arguments differ from the table; nil if they do not,
    /// or the server cut the reply at the line limit.
    mutating func flaw(of entry: TranscriptEntry) -> (reply: String, words: String)? {
        let line = entry.bytes
        let frame = Frame(
            line: 0..<line.count, payload: nil, whole: 0..<line.count,
            terminator: dialect.framing.fromServer.accepted.first {
                $0.count == entry.terminator.count
            }, issue: nil)
        decoder.decode(line, from: .fromServer, into: &message)
        guard let command = message.command, let issue = message.issues.first,
            !check.wasCut(frame, message)
        else { return nil }
        return (
            String(decoding: line[message.split.verb], as: UTF8.self),
            SchemaCheck.words(issue, decoder.commands.signatures[command])
        )
    }
}
