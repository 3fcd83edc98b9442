import LineProtocol
import Results
import Session

/// A checker that compares single replies with the command table. Surplus arguments always count as
/// errors, except for keys of JSON objects that clients ignore.
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

    /// Returns the reply's command, and how its arguments differ from the table; nil if they do
    /// not, or if the server truncated the reply at the line limit.
    mutating func flaw(of entry: TranscriptEntry) -> (reply: String, words: String)? {
        let line = entry.bytes
        var frame = Frame(line: line, payload: entry.payload)
        frame.terminator = dialect.framing.fromServer.accepted.first {
            $0.count == entry.terminator.count
        }
        let bytes = line + (entry.payload ?? [])
        decoder.decode(bytes.span, frame, from: .fromServer, into: &message)
        let isJSON = dialect.syntax.fromServer.json != nil
        let issue = message.issues.first { issue in
            // Servers may add keys to objects if clients ignore unknown keys.
            if isJSON, case .tooMany = issue { return check.breaks(issue, message) }
            return true
        }
        guard let command = message.command, let issue,
            !check.wasTruncated(frame, message)
        else { return nil }
        return (
            String(decoding: line[message.split.verb], as: UTF8.self),
            SchemaCheck.words(issue, decoder.commands.signatures[command])
        )
    }
}
