package import DialectModel
package import Diagnostics
import LineProtocol
import Scenario
import Session

/// A scenario on its way from a conversation to text.
///
/// At first every line stands as it was seen. What the server gave and a client said back becomes a
/// variable; what differs between replays becomes a placeholder (``learn(from:)``).
package struct ScenarioDraft: Sendable {
    /// How a scenario is written.
    package struct Options: Sendable {
        /// The scenario's title.
        package var title = "A recorded conversation"
        /// Whether lines that the dialect says arrive unasked are left out.
        package var dropsUnasked = false
        /// Whether values of one or two bytes, too, that the server gave and a client said back become
        /// variables; they may be the same by chance.
        package var relatesShortValues = false
        /// Whether pauses of a client become `wait` steps; else they are only mentioned.
        package var keepsPauses = false
        /// Whether what the server said is compared with itself: what it says otherwise in the same place
        /// elsewhere, and no client had said, becomes a placeholder. For what cannot be played to find out.
        package var comparesOccurrences = false
        /// Values that must not stand in the text, by the names of the secrets that replace them.
        package var secrets: [String: [UInt8]] = [:]

        /// When the conversation began, in seconds since 1970; with it, dates and times of day that the
        /// server said become placeholders.
        package var startedAt: Int64?

        /// The usual options.
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
        case remark(String)
    }

    /// A line with what stands in its places.
    struct Line: Sendable {
        var line: RecordedLine
        /// One for each field.
        var fields: [Content]
        /// Who the source is compared with; nil: it is not.
        var source: [ScenarioSpelling.Piece]?
        var payload = Content.literal
        /// Fields after so many are not compared, since their number varies.
        var comparedMax: Int?
        /// Whether only the command is compared.
        var isLoose = false

        init(_ line: RecordedLine) {
            self.line = line
            fields = Array(repeating: .literal, count: line.fields.count)
        }
    }

    /// What stands in a field's place.
    enum Content: Sendable, Equatable {
        case literal
        /// A variable that is sent or compared.
        case variable(String)
        /// The place that gives a variable its value.
        case capture(String)
        case pieces([ScenarioSpelling.Piece])
    }

    /// The operators' names, as they stand in the scenario.
    package internal(set) var operators: [String] = []
    /// Whether nothing was said that a scenario could replay.
    package var isEmpty: Bool { steps.isEmpty }
    var steps: [Step] = []
    /// The names that the operators are logged in under.
    var loginNames: [[UInt8]] = []
    let dialect: Dialect
    /// Whether the dialect has a probe.
    let hasProbe: Bool
    let options: Options
    let replies: StandingReplies
    let secrets: SecretRedactor

    /// - Throws: what is wrong with the dialect's patterns.
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
        addSteps(conversation, &classifier)
        relate()
        hideClocks()
        if options.comparesOccurrences { compareOccurrences() }
    }

    /// Makes placeholders of dates and times in what the server said and no client had said before.
    private mutating func hideClocks() {
        guard let startedAt = options.startedAt else { return }
        let clock = ClockWords(startedAt: startedAt)
        var said: Set<[UInt8]> = []
        change { _, line in
            for (field, part) in line.line.fields.enumerated() {
                let value = line.line.value(part)
                if line.line.direction == .fromClient {
                    said.insert(value)
                } else if line.fields[field] == .literal, !said.contains(value),
                    let pieces = clock.pieces(value)
                {
                    line.fields[field] = .pieces(pieces)
                }
            }
        }
    }
}
