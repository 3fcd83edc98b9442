import Diagnostics
package import Results

/// The appearance of a verdict in reports: mark, words and colour. Colour is never the only cue.
package struct VerdictStyle: Sendable, Hashable {
    /// A one-character symbol.
    package var mark: String
    /// Colour on a terminal.
    package var look: Style.TextStyle
    /// Label before a scenario's title.
    package var word: String
    /// Label after the number 1 in a count of scenarios.
    package var singular: String
    /// Label after any other number in a count of scenarios.
    package var plural: String
    /// Label before a check's name or after a number of checks.
    package var checkWord: String
    /// Title of the verdict's section in the report on checks.
    package var title: String

    package init(_ verdict: Verdict) {
        switch verdict {
        case .passed: self.init("✓", .green, "pass", "passed")
        case .failed: self.init("✗", .red, "FAIL", "failed", check: "FAILED")
        case .flaky: self.init("≈", .yellow, "flaky", "flaky")
        case .delayed: self.init("◷", .yellow, "delayed", "delayed", title: "delayed answers")
        case .inconclusive: self.init("?", .yellow, "inconclusive", "inconclusive")
        case .observed:
            self.init("○", .cyan, "observed", "observed", title: "unspecified by the dialect")
        case .skipped:
            self.init(
                "-", .dim, "skip", "skipped", check: "not applicable", title: "not applicable")
        case .knownFailure:
            self.init(
                "~", .magenta, "known failure", "known failure", plural: "known failures",
                title: "known failures")
        case .error: self.init("!", .red, "ERROR", "invalid")
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
    /// The verdicts that scenarios can have, most urgent first.
    package static let byUrgency: [Verdict] = [
        .failed, .error, .inconclusive, .flaky, .knownFailure, .skipped, .passed,
    ]

    /// True if reports explain the verdict.
    package var needsExplanation: Bool {
        switch self {
        case .failed, .error, .inconclusive, .flaky: true
        case .passed, .delayed, .observed, .skipped, .knownFailure: false
        }
    }
}

extension VerdictCounts {
    /// The non-zero counts, most urgent first, such as `3 failed, 1 skipped, 36 passed`.
    package var summary: String {
        let parts = Verdict.byUrgency.filter { self[$0] > 0 }.map { verdict in
            let look = VerdictStyle(verdict)
            return counted(self[verdict], look.singular, look.plural)
        }
        return parts.isEmpty ? "none" : parts.joined(separator: ", ")
    }
}

extension ScenarioResult {
    /// The title, followed by the segmentation unless it is the default.
    package var fullTitle: String {
        segmentation == .whole ? title : "\(title) [\(segmentation.word)]"
    }

    /// Location of the step that decided the verdict, such as `file.chat:17`, or only the path if
    /// there is none.
    package var location: String { line.map { "\(path):\($0)" } ?? path }

    /// The problem in one line; nil if there is none.
    package var headline: String? {
        if let first = diagnostics.first(where: { $0.severity == .error }) ?? diagnostics.first {
            return first.message
        }
        return reason.isEmpty ? nil : reason
    }
}
