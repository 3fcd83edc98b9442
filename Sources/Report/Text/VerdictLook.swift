import Diagnostics
package import Results

/// How a verdict is told: always by a mark and a word, and by a colour only besides.
package struct VerdictLook: Sendable, Hashable {
    /// One letter wide.
    package var mark: String
    /// What stands before a scenario's title.
    package var word: String
    /// What stands after a count of one.
    package var singular: String
    /// What stands after any other count.
    package var plural: String
    /// The colour on a terminal.
    package var look: Paint.Look

    /// How that verdict is told.
    package init(_ verdict: Verdict) {
        switch verdict {
        case .passed: self.init("✓", "pass", "passed", look: .green)
        case .failed: self.init("✗", "FAIL", "failed", look: .red)
        case .flaky: self.init("≈", "flaky", "flaky", look: .yellow)
        case .inconclusive: self.init("?", "inconclusive", "inconclusive", look: .yellow)
        case .skipped: self.init("-", "skip", "skipped", look: .dim)
        case .knownFailure:
            self.init("~", "known failure", "known failure", "known failures", look: .magenta)
        case .error: self.init("!", "ERROR", "unreadable", look: .red)
        }
    }

    private init(
        _ mark: String, _ word: String, _ singular: String, _ plural: String? = nil,
        look: Paint.Look
    ) {
        self.mark = mark
        self.word = word
        self.singular = singular
        self.plural = plural ?? singular
        self.look = look
    }
}

extension Verdict {
    /// All verdicts, what a person must look at first.
    package static let byUrgency: [Verdict] = [
        .failed, .error, .inconclusive, .flaky, .knownFailure, .skipped, .passed,
    ]

    /// Whether the person who ran it is told why.
    package var wantsExplaining: Bool {
        switch self {
        case .failed, .error, .inconclusive, .flaky: true
        case .passed, .skipped, .knownFailure: false
        }
    }
}

extension VerdictCounts {
    /// `3 failed, 1 skipped, 36 passed`: each count that is not zero, the most urgent first.
    package var summary: String {
        let parts = Verdict.byUrgency.filter { self[$0] > 0 }.map { verdict in
            let look = VerdictLook(verdict)
            return counted(self[verdict], look.singular, look.plural)
        }
        return parts.isEmpty ? "none" : parts.joined(separator: ", ")
    }
}

extension ScenarioResult {
    /// The title, and the segmentation where it is not the usual one.
    package var fullTitle: String {
        segmentation == .whole ? title : "\(title) [\(segmentation.word)]"
    }

    /// `file.chat:17`, or without the line where no step decided it.
    package var place: String { line.map { "\(path):\($0)" } ?? path }

    /// What is wrong, in one line; nil if nothing is to be said.
    package var headline: String? {
        if let first = diagnostics.first(where: { $0.severity == .error }) ?? diagnostics.first {
            return first.message
        }
        return reason.isEmpty ? nil : reason
    }
}
