package import DialectModel
package import Diagnostics
import LineProtocol
import Scenario
import Session

/// A scenario being written from a conversation.
///
/// Initially, lines contain only literals. Values that a client received and later sent become
/// variables, and values that differ between replays become placeholders (``learn(from:)``).
package struct ScenarioDraft: Sendable {
    /// Settings for writing a scenario.
    package struct Options: Sendable {
        package var title = "A recorded conversation"
        /// True to omit unsolicited lines.
        package var dropsUnsolicited = false
        /// True to also relate values of one or two bytes, although they may be equal by chance.
        package var relatesShortValues = false
        /// True to write clients' pauses as `wait` steps instead of comments.
        package var keepsPauses = false
        /// True to compare values within the conversation: a value becomes a placeholder if it
        /// differs between occurrences and was not sent by a client. Used for conversations that
        /// cannot be replayed.
        package var comparesOccurrences = false
        /// Values that must not appear in the text, by the names of the variables that replace
        /// them.
        package var secrets: [String: [UInt8]] = [:]

        /// Start time of the conversation in seconds since 1970. If it is set, dates and times from
        /// the server become placeholders.
        package var startedAt: Int64?

        package init() {}
    }

    struct Step: Sendable {
        var actor: Int
        var time: Int64
        var kind: Kind
    }

    enum Kind: Sendable {
        case connect, close, halfClose, abort
        case closed(isReset: Bool)
        case send(Line)
        case expect(Line)
        /// The answer to a probe, which is left out of the text. It shows that the server has
        /// handled the client's earlier lines.
        case probeAnswer
        case comment(String)
    }

    /// A line, with the content of each of its parts.
    struct Line: Sendable {
        var line: RecordedLine
        var fields: [Content]
        /// The expected source; nil if it is not compared.
        var source: [ScenarioSpelling.Piece]?
        var payload = Content.literal
        /// Number of fields to compare if the number of fields varies; nil to compare all.
        var comparedMax: Int?
        /// True to compare only the command.
        var isLoose = false

        init(_ line: RecordedLine) {
            self.line = line
            fields = Array(repeating: .literal, count: line.fields.count)
        }
    }

    /// The content of a field.
    enum Content: Sendable, Equatable {
        case literal
        /// A variable that is sent or compared.
        case variable(String)
        /// The first occurrence of a variable, which captures its value.
        case capture(String)
        case pieces([ScenarioSpelling.Piece])
    }

    /// Names of the operators in the scenario.
    package internal(set) var operators: [String] = []
    /// True if the conversation has nothing to replay.
    package var isEmpty: Bool { steps.isEmpty }
    var steps: [Step] = []
    var loginNames: [[UInt8]] = []
    let dialect: Dialect
    let hasProbe: Bool
    let options: Options
    let replies: StandingReplies
    let secrets: SecretRedactor

    /// Creates a draft.
    ///
    /// - Throws: the errors in the dialect's patterns.
    package init(
        _ conversation: Conversation, dialect: BoundDialect, options: Options = Options()
    ) throws(Diagnosed) {
        self.dialect = dialect.dialect
        hasProbe = dialect["probe"] != nil
        self.options = options
        replies = StandingReplies(LoginSteps(dialect))
        secrets = SecretRedactor(options.secrets)
        nameOperators(conversation, LoginNames(dialect))
        var classifier = try LineClassifier(dialect)
        addSteps(conversation, &classifier, ProbeLines(dialect))
        relate()
        replaceTimestamps()
        if options.comparesOccurrences { compareOccurrences() }
    }

    /// Replaces dates and times from the server with placeholders unless a client sent them before.
    private mutating func replaceTimestamps() {
        guard let startedAt = options.startedAt else { return }
        let clock = TimestampFinder(startedAt: startedAt)
        var sent: Set<[UInt8]> = []
        change { _, line in
            for (field, part) in line.line.fields.enumerated() {
                let value = line.line.value(part)
                if line.line.direction == .fromClient {
                    sent.insert(value)
                } else if line.fields[field] == .literal, !sent.contains(value),
                    let pieces = clock.pieces(value)
                {
                    line.fields[field] = .pieces(pieces)
                }
            }
        }
    }
}
