import DialectModel
import Diagnostics
package import LineProtocol
package import Scenario

/// A scenario compiled for a dialect. Operators and variables are indices, patterns are split into
/// fields, and fragments are inlined.
package struct Program: Sendable {
    /// Maximum number of instructions after inlining.
    package static let instructionsMax = 100_000

    /// The source scenario.
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
    /// The line with which the server refuses a probe before login; it counts as an answer. Nil if
    /// the dialect has none.
    let probeRefusal: LinePattern?
    /// The patterns of refusals.
    let rejects: [LinePattern]
    /// Index of the variable that holds the operator's name while the dialect's patterns are
    /// matched.
    let nameVariable: Int
    /// The dialect's rules, which are active from the start.
    let standing: [StandingRule]
    /// The step timeout in nanoseconds; nil if the scenario sets none.
    let stepTimeout: Int64?
    let fileTimeout: Int64?
    /// Names of the `secret` variables.
    let secrets: [String]
}

/// An operation, and the step that it was compiled from.
struct Instruction: Sendable {
    var operation: Operation
    var origin: Origin
}

/// The source position of an instruction.
struct Origin: Sendable {
    /// The text that contains it: the scenario or the dialect file.
    var source: SourceText
    var range: SourceRange
    var citation: Citation?
    /// The `use` step in the scenario that included the text; nil if there is none.
    var useSite: SourceRange?
    /// True if a refusal ends the step. Set in behaviours, which would otherwise wait for an answer
    /// that cannot arrive.
    var failsOnReject: Bool
}

/// An operation. Operators and variables are indices into the program.
indirect enum Operation: Sendable {
    case connect(Int)
    case close(Int)
    case halfClose(Int)
    case abort(Int)
    /// Resumes or stops reading.
    case setReading(Int, Bool)
    case send(Int, MessageTemplate)
    case expect(Int, Expectation.Mode, LinePattern, TimeWindow)
    case closed(Int, ClosingManner?, TimeWindow)
    case quiet(Int, TimeWindow)
    case wait(least: Int64, most: Int64)
    /// Waits until the probe of each operator has been answered.
    case sync([Int])
    case anyOrder([UnorderedExpectation])
    case standing(StandingRule)
    /// Assigns variables from templates, in order.
    case bind([(variable: Int, value: MessageTemplate.Bytes)])
    /// Sets the operator's login name to the variable's value.
    case loginName(Int, Int)
    /// Assigns a new random word to the variable.
    case fresh(Int)
    case beginRepeat(counter: Int?, count: Int, every: Int64?, end: Int)
    case endRepeat(begin: Int)
    case beginEventually(Attempt, end: Int)
    case endEventually
    /// A boundary of the three rounds of a comparison: 0 starts the first round, and 1 to 3 each
    /// end a round.
    case comparisonMark(Int)
}

/// A block that is retried until it passes.
struct Attempt: Sendable {
    enum Kind: Sendable {
        case eventually
        /// `name X free`, with the template of X.
        case nameFree(MessageTemplate.Bytes)
    }

    var kind: Kind
    var window: TimeWindow
    /// Origin of the block itself.
    var origin: Origin
}

/// Time limits of an instruction in nanoseconds; nil if the step sets none.
struct TimeWindow: Sendable {
    var earliest: Int64?
    var latest: Int64?

    init(_ window: Window?) {
        earliest = window?.earliest?.nanoseconds
        latest = window?.latest.nanoseconds
    }
}

struct UnorderedExpectation: Sendable {
    var operatorIndex: Int
    var mode: Expectation.Mode
    var pattern: LinePattern
    var window: TimeWindow
    var origin: Origin
}

/// A rule for lines that expectations do not see.
struct StandingRule: Sendable {
    /// Operator index; nil for every operator.
    var operatorIndex: Int?
    var pattern: LinePattern
    /// The reply to send; nil to ignore the line.
    var reply: MessageTemplate?
    /// True for a rule from the dialect. Steps that explicitly expect such a line still see it.
    var isDialects: Bool
    /// Origin of the rule; nil for a rule from the dialect.
    var origin: Origin?
}

/// The dialect's `probe`: the messages that it sends and the lines that answer them.
struct Probe: Sendable {
    var sends: [MessageTemplate]
    var answers: [LinePattern]
    /// The variable that gets a new random word each time; nil if the probe has no token.
    var token: Int?
    /// True if the answers do not carry the token, so that only their order identifies them.
    var isCounted = true
}
