package import Diagnostics
import Scenario

extension Program {
    /// A scenario's minimum duration (the sum of its waits) and the step that waits longest.
    package struct MinimumDuration: Sendable {
        /// Sum of all waits in a run, in nanoseconds.
        package var nanoseconds: Int64 = 0
        /// The step that waits longest: its source range, and the sum of its waits over all
        /// repetitions; nil if no step waits.
        package var longest: (range: SourceRange, nanoseconds: Int64)?
    }

    /// The minimum duration of a run, if the server answers immediately, and the step that waits
    /// longest.
    package var minimumDuration: MinimumDuration {
        var result = MinimumDuration()
        var factors: [(end: Int, factor: Double)] = []
        // Skip the blocks of `one of`: only one of them runs, and it may be one without waits. Skip
        // the last round of a comparison: it runs only if the others differ.
        var skippedEnd = 0
        for (index, instruction) in instructions.enumerated() {
            switch instruction.operation {
            case .oneOf(_, let end), .comparisonMark(3, let end): skippedEnd = max(skippedEnd, end)
            default: break
            }
            if index < skippedEnd { continue }
            factors.removeAll { $0.end <= index }
            let factor = factors.reduce(1) { $0 * $1.factor }
            if case .beginRepeat(_, let count, _, let end) = instruction.operation {
                factors.append((end, Double(count)))
            }
            let time = Double(Self.wait(instruction.operation)) * factor
            guard time > 0 else { continue }
            let nanoseconds = Int64(min(time, 1e18))
            result.nanoseconds = min(result.nanoseconds, 1 << 60) + nanoseconds
            if nanoseconds > result.longest?.nanoseconds ?? 0 {
                result.longest = (
                    instruction.origin.useSite ?? instruction.origin.range, nanoseconds
                )
            }
        }
        return result
    }

    private static func wait(_ operation: Operation) -> Int64 {
        switch operation {
        case .wait(let minimum, _): minimum
        case .quiet(_, let window): window.latest ?? 0
        case .expect(_, .never, _, let window): window.latest ?? 0
        case .expect(_, _, _, let window): window.earliest ?? 0
        case .closed(_, _, let window): window.earliest ?? 0
        case .beginRepeat(_, let count, let every, _): (every ?? 0) * Int64(max(count - 1, 0))
        default: 0
        }
    }
}
