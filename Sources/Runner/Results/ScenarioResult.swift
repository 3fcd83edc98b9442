public import Diagnostics
public import LineProtocol
public import Scenario
public import Session

/// What came of one scenario, played with one segmentation.
public struct ScenarioResult: Sendable, Equatable {
    /// The file as it was given or found; `-` for standard input.
    public var path: String
    /// Its `title`, or the file's name.
    public var title: String
    /// Its `tags`.
    public var tags: [String]
    /// How what was sent was divided into writes.
    public var segmentation: Segmentation
    /// The dialect's name; empty where none was found.
    public var dialect: String
    /// What is said of it.
    public var verdict: Verdict
    /// Why, in a line of its own; empty where all is well.
    public var reason: String
    /// The line (from 1) of the step that decided it, if one did.
    public var line: Int?
    /// What is to be said about it: of the last attempt, and warnings about the file.
    public var diagnostics: [Diagnostic]
    /// The rules behind it.
    public var rules: [CitedRule]
    /// Every line sent and received in the last attempt, secrets masked.
    public var transcript: [TranscriptEntry]
    /// How often it was played: more than once after a failure with retries, 0 if never.
    public var attempts: Int
    /// How long the last attempt took, in nanoseconds.
    public var duration: Int64
    /// How many steps were played in the last attempt.
    public var stepsPlayed: Int
    /// Whether something could only be decided by waiting.
    public var isTimingBased: Bool
    /// Whether it is inconclusive because no connection to the server could be made.
    public var isUnreachable: Bool
    /// The last lines of the server under test, where one was started for this file and it is of
    /// interest; bytes as they came.
    public var serverOutput: [UInt8]

    /// A result of a scenario that was not played yet: everything else is set later.
    public init(
        path: String, title: String, tags: [String] = [], segmentation: Segmentation = .whole,
        dialect: String = "", verdict: Verdict, reason: String = "",
        diagnostics: [Diagnostic] = [], rules: [CitedRule] = []
    ) {
        self.path = path
        self.title = title
        self.tags = tags
        self.segmentation = segmentation
        self.dialect = dialect
        self.verdict = verdict
        self.reason = reason
        self.diagnostics = diagnostics
        self.rules = rules
        line = nil
        transcript = []
        attempts = 0
        duration = 0
        stepsPlayed = 0
        isTimingBased = false
        isUnreachable = false
        serverOutput = []
    }
}

/// A rule that a scenario cites, without its place in the file.
public struct CitedRule: Sendable, Hashable {
    /// The document: `RFC 2812`.
    public var document: String
    /// The section without its sign: `3.1.2`.
    public var section: String?
    /// How binding it is.
    public var level: RequirementLevel
    /// The rule's words.
    public var quote: String?

    /// A rule from its parts.
    public init(document: String, section: String?, level: RequirementLevel, quote: String?) {
        self.document = document
        self.section = section
        self.level = level
        self.quote = quote
    }

    /// The rule of a `cite` line.
    public init(_ citation: Citation) {
        self.init(
            document: citation.document, section: citation.section, level: citation.level,
            quote: citation.quote)
    }

    /// `RFC 2812 §3.1.2 (must)`.
    public var summary: String {
        let place = section.map { "\(document) §\($0)" } ?? document
        return "\(place) (\(level.rawValue))"
    }
}
