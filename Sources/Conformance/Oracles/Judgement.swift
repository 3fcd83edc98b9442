package import Results

/// What one play of a case says.
package enum Judgement: Sendable, Hashable {
    /// The claim holds.
    case passed
    /// It does not.
    case failed(Finding)
    /// It holds, but the answer was held back for so many nanoseconds.
    case delayed(Int64)
    /// The dialect leaves open what a server does here; this is what it did.
    case observed(String)
    /// It cannot be told, and why.
    case inconclusive(String)

    /// The same as a part of a check that leaves nothing open.
    var decided: Judgement {
        if case .observed = self { .passed } else { self }
    }

    /// What a person must look at first.
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
