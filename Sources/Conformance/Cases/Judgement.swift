package import Results

/// The judgement of one run of a case.
package enum Judgement: Sendable, Hashable {
    case passed
    /// The server does not meet the requirement.
    case failed(Finding)
    /// The server meets the requirement, but an answer was late: it took this many nanoseconds.
    case delayed(Int64)
    /// The dialect does not specify the reaction, and the server reacted in this way.
    case observed(String)
    /// Nothing can be concluded, for this reason.
    case inconclusive(String)

    /// The judgement with an observation counted as a pass.
    var decided: Judgement {
        if case .observed = self { .passed } else { self }
    }

    /// Precedence when several judgements are combined: the highest one counts.
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
