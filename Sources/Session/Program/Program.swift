import DialectModel
import Diagnostics
package import LineProtocol
package import Scenario

/// A scenario made ready to be played with one dialect: operators and variables are numbers, patterns are
/// split as the dialect splits lines, fragments are in their places.
package struct Program: Sendable {
    /// The most instructions that a scenario may become once its fragments are in their places.
    package static let instructionsMax = 100_000

    /// The scenario it was made from.
    package let file: ScenarioFile
    /// The dialect that it is played with.
    package let dialect: Dialect
    /// The operators by name, in the order of their places.
    package let operators: [String]
    /// What happens, in order.
    let instructions: [Instruction]
    /// The variables' names; a variable is its place here.
    let variables: [String]
    /// Variables with a value from the scenario's `set` lines.
    let settings: [(variable: Int, value: MessageTemplate.Bytes, range: SourceRange)]
    /// The dialect's probe, or nil if it has none.
    let probe: Probe?
    /// A line that is as good as the probe's answer, because the server refuses the probe (before login).
    let probeRefusal: LinePattern?
    /// Patterns of lines that refuse something.
    let rejects: [LinePattern]
    /// The variable that holds the name of the operator whose line is held against the dialect's patterns.
    let nameVariable: Int
    /// Rules that hold from the start, of the dialect.
    let standing: [StandingRule]
    /// In nanoseconds, where the scenario says so.
    let stepTimeout: Int64?
    let fileTimeout: Int64?
    /// The names of `secret` variables.
    let secrets: [String]
}

/// One thing to do, with the step that it comes from.
struct Instruction: Sendable {
    var operation: Operation
    var origin: Origin
}

/// Where an instruction comes from.
struct Origin: Sendable {
    /// The text it stands in: the scenario, or the dialect's file.
    var source: SourceText
    var range: SourceRange
    var citation: Citation?
    /// The `use` in the scenario that brought it in.
    var useSite: SourceRange?
    /// Whether a line that refuses something ends the step: in behaviours, which otherwise would wait
    /// for an answer that cannot come.
    var failsOnReject: Bool
}

/// What an instruction does. Operators and variables are their places in the program.
indirect enum Operation: Sendable {
    case connect(Int)
    case close(Int)
    case halfClose(Int)
    case abort(Int)
    /// Reads on, or reads nothing any more.
    case setReading(Int, Bool)
    case send(Int, MessageTemplate)
    case expect(Int, Expectation.Mode, LinePattern, TimeWindow)
    case closed(Int, ClosingManner?, TimeWindow)
    case quiet(Int, TimeWindow)
    case wait(least: Int64, most: Int64)
    /// Waits for the answers to a probe of each.
    case sync([Int])
    case anyOrder([UnorderedExpectation])
    case standing(StandingRule)
    /// Sets variables from templates, in order.
    case bind([(variable: Int, value: MessageTemplate.Bytes)])
    /// The operator's name is from now on the variable's value.
    case loginName(Int, Int)
    /// Gives the variable a new random word.
    case fresh(Int)
    case beginRepeat(counter: Int?, count: Int, every: Int64?, end: Int)
    case endRepeat(begin: Int)
    case beginEventually(Attempt, end: Int)
    case endEventually
    /// The outcome so far of one of the three rounds of twins: 0 begins, then each ends one.
    case twinMark(Int)
}

/// A block that is tried again until it passes.
struct Attempt: Sendable {
    enum Kind: Sendable {
        case eventually
        /// `name X free`, with what stands for X.
        case nameFree(MessageTemplate.Bytes)
    }

    var kind: Kind
    var window: TimeWindow
    /// The block's own place.
    var origin: Origin
}

/// How long an instruction may wait, in nanoseconds; nil where the step does not say.
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

/// A rule about lines that no expectation sees.
struct StandingRule: Sendable {
    /// Nil: every operator.
    var operatorIndex: Int?
    var pattern: LinePattern
    /// Nil: the line is ignored.
    var reply: MessageTemplate?
    /// Whether the rule is the dialect's: then a step that names such a line sees it all the same.
    var isDialects: Bool
    /// Where it stands; nil for the dialect's.
    var origin: Origin?
}

/// The dialect's `probe`: what is sent, and the lines that answer it.
struct Probe: Sendable {
    var sends: [MessageTemplate]
    var answers: [LinePattern]
    /// The variable that gets a new word for each use.
    var token: Int?
    /// Whether the answers do not carry the token, so that only their order tells which is whose.
    var isCounted = true
}
