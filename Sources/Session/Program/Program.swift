import DialectModel
package import Diagnostics
package import LineProtocol
package import Scenario

/// A scenario that has been compiled for a dialect. Operators and variables are referred to by
/// index, patterns are split into fields, and fragments are inlined.
///
/// A class, because it is large and part of many values.
package final class Program: Sendable {
    /// Maximum number of instructions after inlining.
    package static let instructionsMax = 100_000

    /// The scenario that the program was compiled from.
    package let file: ScenarioFile
    package let dialect: Dialect
    /// Operator names, by index.
    package let operators: [String]
    let instructions: [Instruction]
    /// Variable names, by index.
    let variables: [String]
    /// The variables assigned by the scenario's `set` lines.
    let settings: [(variable: Int, value: MessageTemplate.Bytes, range: SourceRange)]
    /// The dialect's probe; nil if it has none.
    let probe: Probe?
    /// Pattern for the server's refusal of a probe before login, which counts as an answer to the
    /// probe; nil if the dialect has none.
    let probeRefusal: LinePattern?
    /// The dialect's patterns for refusals.
    let rejects: [LinePattern]
    /// Index of the variable that holds the operator's login name while the dialect's patterns are
    /// matched.
    let nameVariable: Int
    /// The dialect's standing rules, which are active from the start.
    let standing: [StandingRule]
    /// The step timeout in nanoseconds; nil if the scenario does not set one.
    let stepTimeout: Int64?
    let fileTimeout: Int64?
    package let secrets: ProgramSecrets
    /// Matcher and filter for the dialect, which sessions copy because creating them takes longer
    /// than a login.
    let matcher: LineMatcher
    let secretArguments: SecretArguments

    init(
        file: ScenarioFile, dialect: Dialect, operators: [String], instructions: [Instruction],
        variables: [String],
        settings: [(variable: Int, value: MessageTemplate.Bytes, range: SourceRange)],
        probe: Probe?, probeRefusal: LinePattern?, rejects: [LinePattern], nameVariable: Int,
        standing: [StandingRule], stepTimeout: Int64?, fileTimeout: Int64?, secrets: ProgramSecrets
    ) {
        self.file = file
        self.dialect = dialect
        matcher = LineMatcher(dialect)
        secretArguments = SecretArguments(dialect, decoder: matcher.decoder)
        self.operators = operators
        self.instructions = instructions
        self.variables = variables
        self.settings = settings
        self.probe = probe
        self.probeRefusal = probeRefusal
        self.rejects = rejects
        self.nameVariable = nameVariable
        self.standing = standing
        self.stepTimeout = stepTimeout
        self.fileTimeout = fileTimeout
        self.secrets = secrets
    }
}

extension Program {
    /// True if a step starts TLS on an open connection.
    package var startsTLS: Bool { startTLSStep != nil }

    /// Source range, in the scenario, of the first step that starts TLS on an open connection; nil
    /// if there is none.
    package var startTLSStep: SourceRange? {
        let found = instructions.first { if case .startTLS = $0.operation { true } else { false } }
        return found.map { $0.origin.useSite ?? $0.origin.range }
    }
}

extension Program {
    /// Returns the scenario line that an instruction belongs to.
    func line(of origin: Origin) -> Int {
        file.source.line(at: (origin.useSite ?? origin.range).start)
    }
}

/// An operation and the step it was compiled from.
struct Instruction: Sendable {
    var operation: Operation
    var origin: Origin
}

/// The origin of an instruction in the source.
struct Origin: Sendable {
    /// The text that contains the step: the scenario or the dialect file.
    var source: SourceText
    var range: SourceRange
    var citation: Citation?
    /// The `use` step in the scenario that included the text; nil if there is none.
    var useSite: SourceRange?
    /// True if a refusal by the server ends the step with a failure. Set for steps of behaviours,
    /// which would otherwise wait for an answer that never arrives.
    var failsOnReject: Bool
    /// Index, in the scenario, of the step that contains this one or uses it.
    var step: Int?
}

/// The action of an instruction. Operators and variables are indices into the program's lists.
indirect enum Operation: Sendable {
    case connect(Int)
    case close(Int)
    case halfClose(Int)
    case abort(Int)
    /// Resumes or stops reading.
    case setReading(Int, Bool)
    /// Encrypts the connection with TLS, and waits for the end of the handshake.
    case startTLS(Int)
    case send(Int, MessageTemplate)
    case expect(Int, Expectation.Mode, LinePattern, TimeWindow)
    case closed(Int, ClosingManner?, TimeWindow)
    case quiet(Int, TimeWindow)
    case wait(minimum: Int64, maximum: Int64)
    /// Waits until the server has answered a probe of each operator.
    case sync([Int])
    case anyOrder([UnorderedExpectation])
    /// Continues with the block whose first step is met. `end` is the instruction after all blocks.
    case oneOf([Choice], end: Int)
    case jump(Int)
    case standing(StandingRule)
    /// Assigns values to variables, in order.
    case bind([(variable: Int, value: MessageTemplate.Bytes)])
    /// Sets an operator's login name to a variable's value.
    case loginName(Int, Int)
    /// Assigns a new random word to a variable.
    case fresh(Int)
    case beginRepeat(counter: Int?, count: Int, every: Int64?, end: Int)
    case endRepeat(begin: Int)
    case beginEventually(Attempt, end: Int)
    case endEventually
    /// A boundary between the rounds of a comparison: 0 starts the first round, and 1 to 4 each end
    /// a round. `end` is the instruction after the comparison, which may end after round 3.
    case comparisonMark(Int, end: Int)
}

extension Operation {
    /// Indices of the operators that take part in the operation; empty if there are none.
    var operatorIndices: [Int] {
        switch self {
        case .connect(let index), .close(let index), .halfClose(let index), .abort(let index),
            .setReading(let index, _), .startTLS(let index), .send(let index, _),
            .expect(let index, _, _, _),
            .closed(let index, _, _), .quiet(let index, _), .loginName(let index, _):
            return [index]
        case .sync(let indices): return indices
        case .anyOrder(let expectations):
            return Set(expectations.map(\.operatorIndex)).sorted()
        case .oneOf(let choices, _): return Set(choices.map(\.operatorIndex)).sorted()
        case .wait, .jump, .standing, .bind, .fresh, .beginRepeat, .endRepeat, .beginEventually,
            .endEventually, .comparisonMark:
            return []
        }
    }
}

/// A block that is retried until it passes.
struct Attempt: Sendable {
    /// The kind of block that is retried.
    enum Kind: Sendable {
        case eventually
        /// `name X free`. The template is X.
        case nameFree(MessageTemplate.Bytes)
    }

    var kind: Kind
    var window: TimeWindow
    /// Origin of the block itself.
    var origin: Origin
}

/// Time limits of an instruction, in nanoseconds. A limit is nil if the step does not set it.
struct TimeWindow: Sendable {
    var earliest: Int64?
    var latest: Int64?

    init(_ window: Window?) {
        earliest = window?.earliest?.nanoseconds
        latest = window?.latest.nanoseconds
    }
}

/// An expectation in an `any order` block.
struct UnorderedExpectation: Sendable {
    var operatorIndex: Int
    var mode: Expectation.Mode
    var pattern: LinePattern
    var window: TimeWindow
}

/// A block of `one of`, which runs if its first step is met.
struct Choice: Sendable {
    /// The event that the first step of a block in `one of` waits for.
    enum Event: Sendable {
        case line(Expectation.Mode, LinePattern)
        case closed(ClosingManner?)
    }

    var operatorIndex: Int
    var event: Event
    var window: TimeWindow
    /// Index of the instruction after the first step.
    var begin: Int
}

/// A rule that handles matching lines, so that expectations do not see them.
struct StandingRule: Sendable {
    /// Index of the operator that the rule applies to; nil for every operator.
    var operatorIndex: Int?
    var pattern: LinePattern
    /// The reply to send; nil to ignore the line.
    var reply: MessageTemplate?
    /// True for a dialect rule. Steps that explicitly expect a line still see it even if a dialect
    /// rule matches it.
    var isDialects: Bool
    /// Origin of the rule; nil for a dialect rule.
    var origin: Origin?
}

/// The dialect's `probe`: the messages that it sends, and the lines that answer them.
struct Probe: Sendable {
    var sends: [MessageTemplate]
    var answers: [LinePattern]
    /// The variable that is set to a new random word for each probe; nil if the probe has no token.
    var token: Int?
    /// True if the answers do not contain the token, so that only their order identifies them.
    var isCounted = true
}
