import DialectModel
import LineProtocol
import Scenario

/// The state of the current instruction.
struct StepState {
    var start: Int64
    var isEntered = false
    var probes = StepProbes()
    /// Number of inbox lines already examined.
    var looked = 0
    /// The unmet expectations of an `any order` block.
    var open: [UnorderedExpectation] = []
    /// Time when a `wait` or `think` step ends; nil for other steps.
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

/// An active block that is retried until it passes.
struct AttemptFrame {
    var attempt: Attempt
    var begin: Int
    var start: Int64
    var deadline: Int64
    /// Number of failed attempts.
    var tries = 0
    /// True if the block started during a comparison.
    var isInComparison: Bool
    var loopDepth: Int
    var variables: Variables
    /// The generation of each operator's connection when the block started.
    var generations: [Int]
    /// The failure of the last attempt; nil before the first one. It is reported when the block
    /// times out.
    var failure: StepFailure?
    /// Time when the next attempt starts; nil during an attempt.
    var retryAt: Int64?
}

/// Result of executing an instruction.
enum StepProgress {
    case done
    /// The program continues with this instruction.
    case jump(Int)
    /// The instruction waits for input, but not longer than until the given time.
    case blocked(until: Int64?)
    case failed(StepFailure)
}
