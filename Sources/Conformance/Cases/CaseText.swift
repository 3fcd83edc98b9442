import Diagnostics
import LineProtocol
import Scenario

/// A case as scenario text, with the line on which each step stands.
struct CaseText {
    /// The scenario.
    let text: String
    /// The lines (from 1) of each step.
    private let lines: [ClosedRange<Int>]

    /// A case as it is played, or as it is written down for those who play it again.
    ///
    /// - Parameters:
    ///   - isStrict: whether what the check itself decides is said by expectations, where they can.
    ///   - remarks: comment lines at the top.
    init(
        _ play: CheckCase, check: Check, _ subject: Subject, isStrict: Bool = false,
        remarks: [String] = []
    ) {
        var rows = remarks.map { $0.isEmpty ? "#" : "# \($0)" }
        rows += Self.header(play, check, subject)
        var lines: [ClosedRange<Int>] = []
        var role: CaseStep.Role?
        var closed: Set<String> = []
        for step in play.steps {
            if step.role != role, isStrict {
                rows += ["", "# \(Self.heading(step.role))"]
                role = step.role
            }
            let first = rows.count + 1
            var text = isStrict ? step.strict ?? step.text : step.text
            // Who has to be closed is not asked any more.
            if isStrict, let handle = step.handle {
                if closed.contains(handle), step.onlyAsks { text = "" }
                if step.strict?.hasSuffix("\n\(handle) closed") == true { closed.insert(handle) }
            }
            // What only the other form says leaves no gap.
            if isStrict, text.isEmpty {
                lines.append(first...first)
                continue
            }
            rows += text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            lines.append(first...rows.count)
        }
        if isStrict { rows += Self.fragments(play, subject) }
        for fragment in play.fragments + (AliveFragment(subject)?.texts(for: play.steps) ?? [])
            + (SideEffect(subject)?.texts(for: play.steps) ?? [])
        {
            rows += ["", fragment]
        }
        text = rows.joined(separator: "\n") + "\n"
        self.lines = lines
    }

    /// Fragments that only the scenario uses that is written down.
    private static func fragments(_ play: CheckCase, _ subject: Subject) -> [String] {
        let all = [
            (UnheardFragment.name, UnheardFragment(subject)?.text),
            (UnheardFragment.anyName, UnheardFragment(subject)?.anyText),
            (NextFragment.name, NextFragment(subject)?.text),
        ]
        return all.flatMap { name, text -> [String] in
            let isUsed = play.steps.contains { $0.strict?.contains("use \(name) ") ?? false }
            return isUsed ? text.map { ["", $0] } ?? [] : []
        }
    }

    /// The step that stands on a line.
    func step(at line: Int) -> Int? { lines.firstIndex { $0.contains(line) } }

    private static func heading(_ role: CaseStep.Role) -> String {
        switch role {
        case .setup: "Everybody logs in"
        case .control: "The plain form works"
        case .stimulus: "What is tried"
        case .question: "What must hold"
        }
    }

    private static func header(
        _ play: CheckCase, _ check: Check, _ subject: Subject
    ) -> [String] {
        var rows = ["title     \(oneLine("\(check.id): \(check.claim) (\(play.title))"))"]
        rows.append("dialect   \(subject.writtenName)")
        rows.append("operators \(play.actors.map(\.handle).joined(separator: ", "))")
        if let clause = check.clause {
            rows.append("cite      \(citation(clause, check.level))")
        }
        let milliseconds = max(1, play.patience / 1_000_000)
        rows.append("timeout   step \(milliseconds)ms")
        rows.append("timeout   file \(milliseconds * 3 + 60_000)ms")
        for (name, value) in subject.variables.sorted(by: { $0.key < $1.key }) {
            rows.append("set       \(name) = \(ScenarioSpelling.string(value))")
        }
        return rows + [""]
    }

    /// A section of several words is told with the document: the language has one word for it.
    private static func citation(_ clause: Clause, _ level: RequirementLevel) -> String {
        var text = clause.document
        if !clause.section.isEmpty {
            text += clause.section.contains(" ") ? ", \(clause.section)" : " §\(clause.section)"
        }
        text += " \(level.rawValue)"
        if !clause.quote.isEmpty { text += " " + ScenarioSpelling.string(Array(clause.quote.utf8)) }
        return text
    }

    /// Without what would end the line or begin a comment.
    private static func oneLine(_ text: String) -> String {
        escapedForDisplay(text).replacing(" # ", with: " ")
    }
}
