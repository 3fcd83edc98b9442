import Diagnostics
package import Results

/// How a verdict is shown: always by a mark and a word, and by a colour only besides.
package struct VerdictStyle: Sendable, Hashable {
    /// One letter wide.
    package var mark: String
    /// The colour on a terminal.
    package var look: Style.TextStyle
    /// The word before a scenario's title.
    package var word: String
    /// The word after a count of one scenario.
    package var singular: String
    /// The word after any other count of scenarios.
    package var plural: String
    /// The word before a check's name, and after a count of checks.
    package var checkWord: String
    /// The title of a section of checks.
    package var title: String

    /// The look of that verdict.
    package init(_ verdict: Verdict) {
        switch verdict {
        case .passed: self.init("✓", .green, "pass", "passed")
        case .failed: self.init("✗", .red, "FAIL", "failed", check: "FAILED")
        case .flaky: self.init("≈", .yellow, "flaky", "flaky", title: "not every time")
        case .delayed: self.init("◷", .yellow, "delayed", "delayed", title: "held back")
        case .inconclusive:
            self.init("?", .yellow, "inconclusive", "inconclusive", title: "could not be told")
        case .observed:
            self.init("○", .cyan, "observed", "observed", title: "left open by the dialect")
        case .skipped:
            self.init(
                "-", .dim, "skip", "skipped", check: "not applicable", title: "not applicable")
        case .knownFailure:
            self.init(
                "~", .magenta, "known failure", "known failure", plural: "known failures",
                title: "known failures")
        case .error: self.init("!", .red, "ERROR", "unreadable")
        }
    }

    private init(
        _ mark: String, _ look: Style.TextStyle, _ word: String, _ singular: String,
        plural: String? = nil, check: String? = nil, title: String? = nil
    ) {
        self.mark = mark
        self.look = look
        self.word = word
        self.singular = singular
        self.plural = plural ?? singular
        checkWord = check ?? singular
        self.title = title ?? singular
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
        case .passed, .delayed, .observed, .skipped, .knownFailure: false
        }
    }
}

extension VerdictCounts {
    /// `3 failed, 1 skipped, 36 passed`: each count that is not zero, the most urgent first.
    package var summary: String {
        let parts = Verdict.byUrgency.filter { self[$0] > 0 }.map { verdict in
            let look = VerdictStyle(verdict)
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
