import DialectModel
import Diagnostics
import LineProtocol
import Scenario

/// What the instruction that is under way remembers.
struct StepState {
    var start: Int64
    var isEntered = false
    /// Barriers sent for the step, by operator.
    var barriers: [(operatorIndex: Int, id: Int, since: Int64)] = []
    /// How many lines of the inbox have been looked at.
    var looked = 0
    /// The expectations of `any order` that are still open.
    var open: [UnorderedExpectation] = []
    /// When a wait is over.
    var until: Int64?
}

/// A block that is under way.
struct LoopFrame {
    var begin: Int
    var counter: Int?
    var round: Int
    var count: Int
    var every: Int64?
    /// When the next round may start.
    var beat: Int64
}

struct AttemptFrame {
    var attempt: Attempt
    var begin: Int
    var start: Int64
    var deadline: Int64
    /// How many tries have failed.
    var tries = 0
    /// Whether twins were under way when the block began.
    var isInTwins: Bool
    var loopDepth: Int
    var variables: Variables
    /// The operators' connections when the block began.
    var generations: [Int]
    /// The last failure, for when the time is over.
    var failure: StepFailure?
    /// When the next try starts; nil while one is on.
    var retryAt: Int64?
}

/// What went wrong in a step.
struct StepFailure {
    enum Kind { case failed, inconclusive }

    var kind = Kind.failed
    var code: DiagnosticCode
    var message: String
    /// The place under the carets; nil: the whole step.
    var range: SourceRange?
    var label = ""
    var notes: [DiagnosticNote] = []
    /// Where it happened, if not in the instruction under way.
    var origin: Origin?
    /// A block that the failure ended.
    var block: Origin?
}

extension StepFailure {
    /// A message that has no bytes.
    init(_ error: RenderingError) {
        self.init(code: error.code, message: error.message, range: error.range)
    }
}

/// What executing an instruction came to.
enum StepProgress {
    case done
    /// Goes on at this instruction.
    case jump(Int)
    /// Waits for something to arrive, at most until the time.
    case blocked(until: Int64?)
    case failed(StepFailure)
}
