import Diagnostics
import LineProtocol
import Results
import Scenario

/// The requirement that a case tests, for the title and citation of its scenario.
struct CaseHeading: Sendable {
    var id: CheckID
    var claim: String
    var level: RequirementLevel
    var clause: Clause?
}

/// A case printed as a scenario, with the range of lines that each step takes up.
struct CaseText {
    let text: String
    /// The range of lines that each step takes up. Lines are numbered from 1.
    private let lines: [ClosedRange<Int>]

    /// Prints a case, either for execution or as a scenario file to keep.
    ///
    /// - Parameters:
    ///   - isStrict: Whether to print the form for a scenario file, in which expectations replace
    ///     the check's own judgement where possible.
    ///   - comments: Comment lines to put at the top.
    init(
        _ testCase: CheckCase, _ heading: CaseHeading, _ subject: Subject, isStrict: Bool = false,
        comments: [String] = []
    ) {
        var rows = comments.map { $0.isEmpty ? "#" : "# \($0)" }
        rows += Self.header(testCase, heading, subject)
        var lines: [ClosedRange<Int>] = []
        var role: CaseStep.Role?
        var closed: Set<String> = []
        for step in testCase.steps {
            if step.role != role, isStrict {
                rows += ["", "# \(Self.heading(step.role))"]
                role = step.role
            }
            let first = rows.count + 1
            var text = isStrict ? step.strict ?? step.text : step.text
            // Do not probe a client whose connection the scenario file requires to be closed.
            if isStrict, let handle = step.handle {
                if closed.contains(handle), step.onlyAsks { text = "" }
                if step.strict?.hasSuffix("\n\(handle) closed") == true { closed.insert(handle) }
            }
            // Do not print an empty line for a step without text in this form.
            if isStrict, text.isEmpty {
                lines.append(first...first)
                continue
            }
            if isStrict { text = Self.hidingSecrets(text, subject) }
            rows += text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            lines.append(first...rows.count)
        }
        if isStrict { rows += Self.fragments(testCase, subject) }
        for fragment in testCase.fragments
            + (AliveFragment(subject)?.texts(for: testCase.steps) ?? [])
            + (SideEffect(subject)?.texts(for: testCase.steps) ?? [])
        {
            rows += ["", isStrict ? Self.hidingSecrets(fragment, subject) : fragment]
        }
        text = rows.joined(separator: "\n") + "\n"
        self.lines = lines
    }

    /// Returns the fragments that are used only in scenario files.
    private static func fragments(_ testCase: CheckCase, _ subject: Subject) -> [String] {
        let all = [
            (UnheardFragment.name, UnheardFragment(subject)?.text),
            (UnheardFragment.anyName, UnheardFragment(subject)?.anyText),
            (NextFragment.name, NextFragment(subject)?.text),
        ]
        return all.flatMap { name, text -> [String] in
            let isUsed = testCase.steps.contains { $0.strict?.contains("use \(name) ") ?? false }
            return isUsed ? text.map { ["", $0] } ?? [] : []
        }
    }

    /// Replaces the values of secret variables with placeholders in the text of a step. Values
    /// shorter than 4 bytes are kept, because they may occur in other words by chance.
    private static func hidingSecrets(_ text: String, _ subject: Subject) -> String {
        subject.secretValues.filter { $0.value.count >= secretBytesMin }.reduce(text) {
            let spelling = ScenarioSpelling.string($1.value).dropFirst().dropLast()
            return $0.replacing(spelling, with: "{{\($1.name)}}")
        }
    }

    private static let secretBytesMin = 4

    /// Returns the index of the step that the given line belongs to; nil if there is none.
    func step(at line: Int) -> Int? { lines.firstIndex { $0.contains(line) } }

    private static func heading(_ role: CaseStep.Role) -> String {
        switch role {
        case .setup: "Log in"
        case .control: "Control: the plain form works"
        case .stimulus: "Stimulus"
        case .question: "Expected"
        }
    }

    private static func header(
        _ testCase: CheckCase, _ heading: CaseHeading, _ subject: Subject
    ) -> [String] {
        var rows = ["title     \(oneLine("\(heading.id): \(heading.claim) (\(testCase.title))"))"]
        rows.append("dialect   \(subject.writtenName)")
        rows.append("operators \(testCase.actors.map(\.handle).joined(separator: ", "))")
        if let clause = heading.clause {
            rows.append("cite      \(citation(clause, heading.level))")
        }
        let milliseconds = max(1, testCase.patience / 1_000_000)
        rows.append("timeout   step \(milliseconds)ms")
        rows.append("timeout   file \(milliseconds * 3 + 60_000)ms")
        for (name, value) in subject.variables.sorted(by: { $0.key < $1.key }) {
            rows.append(
                subject.secrets.contains(name)
                    ? "secret    \(name)"
                    : "set       \(name) = \(ScenarioSpelling.string(value))")
        }
        return rows + [""]
    }

    /// Returns the citation of a clause. In the scenario language, a section must be a single word,
    /// so a longer section becomes part of the document's name.
    private static func citation(_ clause: Clause, _ level: RequirementLevel) -> String {
        var text = clause.document
        if !clause.section.isEmpty {
            text += clause.section.contains(" ") ? ", \(clause.section)" : " §\(clause.section)"
        }
        text += " \(level.rawValue)"
        if !clause.quote.isEmpty { text += " " + ScenarioSpelling.string(Array(clause.quote.utf8)) }
        return text
    }

    /// Escapes line ends and removes comment markers, so that the text fits on a `title` line.
    private static func oneLine(_ text: String) -> String {
        escapedForDisplay(text).replacing(" # ", with: " ")
    }
}
