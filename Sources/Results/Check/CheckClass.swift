/// A server's observed behaviour in a check, as stable keywords. It does not depend on what the
/// dialect requires, so the classes of different servers can be compared.
package struct CheckClass: Sendable, Hashable, CustomStringConvertible {
    /// Label for an inconclusive check.
    package static let inconclusiveWord = "inconclusive"
    /// Label for behaviour that varies from run to run in an unknown way.
    static let variesWord = "varies"
    /// Separator between several observed outcomes.
    static let separator = " | "

    /// The observed outcomes: none if the check was inconclusive, several if behaviour varies.
    package private(set) var words: [String]

    /// Creates a class from words in any order.
    package init(words: some Sequence<String>) { self.words = Array(Set(words)).sorted() }

    /// Parses a class from its ``description``, which may be from an earlier version.
    package init(_ text: String) {
        let parts = text.split(separator: Self.separator).map { Self.current(String($0)) }
        self.init(words: parts == [Self.inconclusiveWord] ? [] : parts)
    }

    /// Returns the outcome of a check that failed with this kind of finding.
    static func failure(_ kind: String) -> String { "\(failurePrefix)\(kind))" }

    private static let failurePrefix = "fails ("

    /// Returns the outcome with the current name of the finding's kind.
    private static func current(_ word: String) -> String {
        guard word.hasPrefix(failurePrefix), word.hasSuffix(")") else { return word }
        let kind = word.dropFirst(failurePrefix.count).dropLast()
        return failure(EarlierNames.findingKind(String(kind)))
    }

    package static let inconclusive = CheckClass(words: [String]())

    package var isDecided: Bool { !words.isEmpty }

    /// Returns true if both classes are conclusive and have an outcome in common, so that both
    /// could describe the same server.
    package func agrees(with other: CheckClass) -> Bool {
        guard isDecided, other.isDecided else { return false }
        return (words + other.words).contains(Self.variesWord)
            || !Set(words).isDisjoint(with: other.words)
    }

    package func joined(_ other: CheckClass) -> CheckClass {
        CheckClass(words: words + other.words)
    }

    /// The class as text, such as `refuse`, `holds | fails (lost)` or `inconclusive`.
    package var description: String {
        isDecided ? words.joined(separator: Self.separator) : Self.inconclusiveWord
    }
}

extension CheckResult {
    /// Kinds of findings that are less precise than the behaviour's class.
    private static let kindsCoveredByClass: Set<String> = [
        "closed", "silent", "refused", "served", "cut", "taken-twice", "mutated", "truncated",
        "longer", "lost",
    ]

    /// Label for a check whose requirement is met and whose oracles do not classify behaviour.
    private static let holds = "holds"

    /// The server's behaviour in all runs of the check.
    package var measured: CheckClass {
        otherClasses.reduce(classOfFile ?? ownClass) { $0.joined($1) }
    }

    /// The server's behaviour in the deciding run.
    private var ownClass: CheckClass {
        switch verdict {
        case .inconclusive, .skipped, .error: return .inconclusive
        case .passed, .delayed, .observed: return namedClass ?? CheckClass(words: [Self.holds])
        case .failed, .flaky, .knownFailure: break
        }
        guard let finding else { return namedClass ?? CheckClass(words: [Self.holds]) }
        let failure = CheckClass(words: [CheckClass.failure(finding.kind)])
        let own = Self.kindsCoveredByClass.contains(finding.kind) ? namedClass ?? failure : failure
        guard verdict == .flaky else { return own }
        return own.joined(CheckClass(words: [CheckClass.variesWord]))
    }

    private var namedClass: CheckClass? {
        classes.isEmpty ? nil : CheckClass(words: [classes.joined(separator: "; ")])
    }
}
