package import DialectModel
package import Diagnostics
import LineProtocol
import Scenario
import Session

/// A draft of a scenario, written from a conversation.
///
/// At first, lines contain only literals. Values that a client received and later sent become
/// variables, and values that differ between replays become placeholders (``learn(from:)``).
package struct ScenarioDraft: Sendable {
    /// Settings for writing a scenario.
    package struct Options: Sendable {
        package var title = "A recorded conversation"
        /// How the scenario refers to the dialect, such as by the path of its file; nil for the
        /// dialect's name.
        package var dialect: String?
        /// True to leave out unsolicited lines.
        package var dropsUnsolicited = false
        /// True to also replace related values of one or two bytes with variables, although such
        /// values may be equal by chance.
        package var relatesShortValues = false
        /// True to write the pauses of clients as `wait` steps instead of comments.
        package var keepsPauses = false
        /// True to compare values within the conversation: a value from the server becomes a
        /// placeholder if it differs between occurrences and no client has sent it before. Used for
        /// conversations that cannot be replayed.
        package var comparesOccurrences = false
        /// Values that must not appear in the text. The keys are the names of the variables that
        /// replace them.
        package var secrets: [String: [UInt8]] = [:]

        /// Start time of the conversation in seconds since 1970; nil if unknown. If it is known,
        /// dates and times from the server become placeholders.
        package var startedAt: Int64?

        package init() {}
    }

    /// A step of one operator.
    struct Step: Sendable {
        var actor: Int
        var time: Int64
        var kind: Kind
    }

    /// The kind of a step.
    enum Kind: Sendable {
        case connect, startTLS, close, halfClose, abort
        case closed(isReset: Bool)
        case send(Line)
        case expect(Line)
        /// The answer to a probe. It is not written to the text, but shows that the server has
        /// handled the client's earlier lines.
        case probeAnswer
        case comment(String)
    }

    /// A recorded line, with the text to write for each of its parts.
    struct Line: Sendable {
        var line: RecordedLine
        var fields: [Content]
        /// The expected source; nil to ignore the source.
        var source: [ScenarioSpelling.Piece]?
        var payload = Content.literal
        /// Number of fields to compare if the number of fields varies; nil to compare all fields.
        var comparedMax: Int?
        /// True to compare only the command.
        var isLoose = false

        init(_ line: RecordedLine) {
            self.line = line
            fields = Array(repeating: .literal, count: line.fields.count)
        }
    }

    /// A field's text in the scenario.
    enum Content: Sendable, Equatable {
        case literal
        /// A variable whose value is sent or compared.
        case variable(String)
        /// The first occurrence of a variable, which captures its value.
        case capture(String)
        case pieces([ScenarioSpelling.Piece])
    }

    /// Names of the operators in the scenario.
    package internal(set) var operators: [String] = []
    /// True if the conversation contains nothing to replay.
    package var isEmpty: Bool { steps.isEmpty }
    var steps: [Step] = []
    var loginNames: [[UInt8]] = []
    let dialect: Dialect
    let hasProbe: Bool
    /// Name of the last command that the dialect's `logout` sends; nil if it sends none.
    let logoutCommand: String?
    let options: Options
    let replies: StandingReplies
    let secrets: SecretRedactor

    /// Creates a draft.
    ///
    /// - Throws: Errors in the dialect's patterns.
    package init(
        _ conversation: Conversation, dialect: BoundDialect, options: Options = Options()
    ) throws(Diagnosed) {
        self.dialect = dialect.dialect
        hasProbe = dialect["probe"] != nil
        logoutCommand = dialect["logout"]?.sentLines.last.map {
            dialect.dialect.commands.signatures[$0.command].name
        }
        self.options = options
        replies = StandingReplies(LoginSteps(dialect))
        secrets = SecretRedactor(options.secrets)
        nameOperators(conversation, LoginNames(dialect))
        var classifier = try LineClassifier(dialect)
        addSteps(conversation, &classifier, ProbeLines(dialect))
        relate()
        replaceSecrets()
        replaceTimestamps()
        if options.comparesOccurrences {
            compareOccurrences()
            replaceCounters()
        }
        replaceServerPorts(conversation.serverPorts)
    }

    /// Replaces secrets in what servers send. Later changes, such as of numbers in an encoded secret,
    /// would leave parts of it.
    private mutating func replaceSecrets() {
        let secrets = secrets
        change { _, line in
            guard line.line.direction == .fromServer else { return }
            for (field, part) in line.line.fields.enumerated() where line.fields[field] == .literal
            {
                if let pieces = secrets.pieces(of: line.line.value(part)) {
                    line.fields[field] = .pieces(pieces)
                }
            }
        }
    }

    /// Replaces dates and times from the server with placeholders, unless a client has sent them
    /// before.
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
            if line.line.direction == .fromServer, let payload = line.line.payload,
                clock.isTime(in: payload)
            {
                line.payload = .pieces([.placeholder("{{_}}")])
            }
        }
    }
}
