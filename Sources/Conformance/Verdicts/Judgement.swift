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

/// What is wrong, in words for a person.
package struct Finding: Sendable, Hashable, Codable {
    /// A stable word for the kind of it: `closed`, `wedged`, `silent`, `lost`, `extra-command`.
    package var kind: String
    /// What was expected.
    package var expected: String
    /// What came instead.
    package var got: String

    /// A finding.
    package init(_ kind: String, expected: String, got: String) {
        self.kind = kind
        self.expected = expected
        self.got = got
    }
}
