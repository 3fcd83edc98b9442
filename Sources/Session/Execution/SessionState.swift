import DialectModel
import Diagnostics
import LineProtocol
import Scenario

/// The state of the current instruction.
struct StepState {
    var start: Int64
    var isEntered = false
    /// The barriers sent for the step, by operator.
    var barriers: [(operatorIndex: Int, id: Int, since: Int64)] = []
    /// Number of inbox lines already examined.
    var looked = 0
    /// Pending expectations of `any order`.
    var open: [UnorderedExpectation] = []
    /// Time at which a wait ends.
    var until: Int64?
}

/// An active `repeat` block.
struct LoopFrame {
    var begin: Int
    var counter: Int?
    var round: Int
    var count: Int
    var every: Int64?
    /// Earliest start of the next round.
    var beat: Int64
}

struct AttemptFrame {
    var attempt: Attempt
    var begin: Int
    var start: Int64
    var deadline: Int64
    /// Number of failed attempts.
    var tries = 0
    /// True if a comparison was active when the block started.
    var isInComparison: Bool
    var loopDepth: Int
    var variables: Variables
    /// The operators' connection generations when the block started.
    var generations: [Int]
    /// The last failure, which is reported when the time is over.
    var failure: StepFailure?
    /// Start time of the next attempt; nil during an attempt.
    var retryAt: Int64?
}

struct StepFailure {
    enum Kind { case failed, inconclusive }

    var kind = Kind.failed
    var code: DiagnosticCode
    var message: String
    /// Source range to mark; nil for the whole step.
    var range: SourceRange?
    var label = ""
    /// Number of the transcript entry that decided the failure; nil unless a received line did.
    var entry: Int?
    var notes: [DiagnosticNote] = []
    /// Origin of the failing instruction, if it is not the current one.
    var origin: Origin?
    /// The block that failed as a result.
    var block: Origin?
}

extension StepFailure {
    /// Creates the failure for a message that cannot be rendered.
    init(_ error: RenderingError) {
        self.init(code: error.code, message: error.message, range: error.range)
    }
}

/// Result of executing an instruction.
enum StepProgress {
    case done
    /// Continues with this instruction.
    case jump(Int)
    /// Waits for input, at most until the given time.
    case blocked(until: Int64?)
    case failed(StepFailure)
}
