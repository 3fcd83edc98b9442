package import Results

/// The judgement on one run of a case.
package enum Judgement: Sendable, Hashable {
    case passed
    /// The claim does not hold.
    case failed(Finding)
    /// The claim holds, but the answer was delayed by this many nanoseconds.
    case delayed(Int64)
    /// The dialect leaves the reaction open, and this is what the server did.
    case observed(String)
    /// There is no conclusion, for this reason.
    case inconclusive(String)

    /// The judgement for a check that leaves nothing open. In such a check, an observation counts
    /// as a pass.
    var decided: Judgement {
        if case .observed = self { .passed } else { self }
    }

    /// Rank of the judgement by urgency.
    var urgency: Int {
        switch self {
        case .failed: 4
        case .inconclusive: 3
        case .delayed: 2
        case .observed: 1
        case .passed: 0
        }
    }
}
