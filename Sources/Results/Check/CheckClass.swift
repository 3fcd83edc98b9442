/// What a server does with the stimulus of a check, as one word that lasts: it does not depend on what the
/// dialect says that the server has to do, so that classes of several servers can be held against each other.
package struct CheckClass: Sendable, Hashable, CustomStringConvertible {
    /// The word of a check that could not be decided.
    package static let inconclusiveWord = "inconclusive"
    /// The word that says that it is not always the same, and not what else it may be.
    static let variesWord = "varies"
    /// What stands between words of which now one was seen, now another.
    static let separator = " | "

    /// What was seen: nothing where it could not be told, several words where it is not always the same.
    package private(set) var words: [String]

    /// A class from its words; the order does not matter.
    package init(words: some Sequence<String>) { self.words = Array(Set(words)).sorted() }

    /// A class as it stands in files; what ``description`` gives.
    package init(_ text: String) {
        let parts = text.split(separator: Self.separator).map(String.init)
        self.init(words: parts == [Self.inconclusiveWord] ? [] : parts)
    }

    /// It could not be told.
    package static let inconclusive = CheckClass(words: [String]())

    /// Whether something was seen.
    package var isDecided: Bool { !words.isEmpty }

    /// Whether both can be the behaviour of one server: both were decided, and one word is in both.
    package func agrees(with other: CheckClass) -> Bool {
        guard isDecided, other.isDecided else { return false }
        return (words + other.words).contains(Self.variesWord)
            || !Set(words).isDisjoint(with: other.words)
    }

    /// What was seen in one or the other.
    package func joined(_ other: CheckClass) -> CheckClass {
        CheckClass(words: words + other.words)
    }

    /// `refuse`, `holds | fails (lost)`, `inconclusive`.
    package var description: String {
        isDecided ? words.joined(separator: Self.separator) : Self.inconclusiveWord
    }
}

extension CheckResult {
    /// The kinds of findings that the class of what the server did tells as well, and better.
    private static let toldByClass: Set<String> = [
        "closed", "silent", "refused", "served", "cut", "taken-twice", "mutated", "truncated",
        "longer", "lost",
    ]

    /// The word of a check without classes whose claim holds.
    private static let holds = "holds"

    /// What the server does, with all that was seen in further plays.
    package var measured: CheckClass {
        otherClasses.reduce(classOfFile ?? ownClass) { $0.joined($1) }
    }

    /// What the server did in the play that decided.
    private var ownClass: CheckClass {
        switch verdict {
        case .inconclusive, .skipped, .error: return .inconclusive
        case .passed, .delayed, .observed: return told ?? CheckClass(words: [Self.holds])
        case .failed, .flaky, .knownFailure: break
        }
        guard let finding else { return told ?? CheckClass(words: [Self.holds]) }
        let failure = CheckClass(words: ["fails (\(finding.kind))"])
        let own = Self.toldByClass.contains(finding.kind) ? told ?? failure : failure
        guard verdict == .flaky else { return own }
        return own.joined(CheckClass(words: [CheckClass.variesWord]))
    }

    private var told: CheckClass? {
        classes.isEmpty ? nil : CheckClass(words: [classes.joined(separator: "; ")])
    }
}
