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

/// A case as a scenario, either the one that a check runs or the one written to a file. It records
/// which step of the case each step of the scenario belongs to.
struct CaseScenario {
    let file: ScenarioFile
    /// For each step of the file, the index of the case's step that it belongs to.
    private let caseSteps: [Int]
    /// Login names of the clients whose logins do not use the dialect's behaviour, by handle.
    let loginNames: [String: [UInt8]]

    /// Creates a scenario from a case.
    ///
    /// - Parameters:
    ///   - isWritten: Whether to create the scenario for a file, in which expectations replace the
    ///     check's own judgement where possible.
    ///   - comments: Comment lines to put at the top.
    init(
        _ testCase: CheckCase, _ heading: CaseHeading, _ subject: Subject, isWritten: Bool = false,
        comments: [String] = []
    ) {
        var scenario = GeneratedScenario()
        scenario.comments = comments
        scenario.header = Self.header(testCase, heading, subject)
        var caseSteps: [Int] = []
        var role: CaseStep.Role?
        var closed: Set<String> = []
        var joint: JointLogin?
        if !isWritten, testCase.loginTime > 0 {
            joint = JointLogin(testCase, subject)
            let first = Self.firstLogins(testCase) + (joint?.openings ?? [])
            if !first.isEmpty {
                scenario.sections = [GeneratedScenario.Section(first.map(\.step))]
                caseSteps = first.map(\.index)
                role = .setup
            }
        }
        for (index, step) in testCase.steps.enumerated() {
            var steps = isWritten ? step.written : step.steps
            if let completion = joint?.completions[index] { steps = [completion] }
            // Do not probe a client whose connection may be closed in the scenario file.
            if isWritten, let handle = step.handle {
                if closed.contains(handle), step.onlyAsks { steps = [] }
                if step.expectsClose { closed.insert(handle) }
            }
            if steps.isEmpty { continue }
            if step.role != role {
                let comment = isWritten ? Self.heading(step.role) : nil
                scenario.sections.append(GeneratedScenario.Section([], comment: comment))
                role = step.role
            }
            scenario.sections[scenario.sections.count - 1].steps += steps
            caseSteps += steps.map { _ in index }
        }
        scenario.fragments =
            (joint?.fragments ?? [])
            + Self.fragments(testCase, scenario.sections.flatMap(\.steps), subject)
        if isWritten { scenario.hide(subject.secretValues) }
        file = scenario.printed(path: "check.chat")
        self.caseSteps = caseSteps
        loginNames = joint?.loginNames ?? [:]
    }

    /// Returns the logins with which the case begins, each with a step that connects the client. If
    /// logins are slow because the server looks up the names of clients, connecting all clients
    /// first makes it look them up at the same time.
    private static func firstLogins(_ testCase: CheckCase) -> [(index: Int, step: Step)] {
        var handles: Set<String> = []
        return testCase.steps.prefix { $0.role == .setup }.enumerated().compactMap { index, step in
            guard let handle = step.handle, handles.insert(handle).inserted, step.logsIn else {
                return nil
            }
            return (index, .connect(handle))
        }
    }

    /// The scenario's text.
    var text: String { String(decoding: file.source.bytes, as: UTF8.self) }

    /// Returns the index of the case's step that a step of the scenario belongs to.
    func caseStep(of step: Int) -> Int? {
        caseSteps.indices.contains(step) ? caseSteps[step] : nil
    }

    /// Returns the index, in the file, of the first step that belongs to a step of the case; nil if
    /// the file has none.
    func firstStep(of caseStep: Int) -> Int? { caseSteps.firstIndex(of: caseStep) }

    /// Returns the transcript with the line of the file where each entry's step begins. The step
    /// indices of the entries must refer to the case's steps.
    func numbered(_ transcript: [TranscriptEntry]) -> [TranscriptEntry] {
        transcript.map { entry in
            var numbered = entry
            numbered.line = entry.step.flatMap(firstStep).map {
                file.source.line(at: file.steps[$0].range.start)
            }
            return numbered
        }
    }

    /// Returns the case's own fragments, and the common ones that these steps use.
    private static func fragments(
        _ testCase: CheckCase, _ steps: [Step], _ subject: Subject
    ) -> [Fragment] {
        func used(_ fragments: [Fragment]?) -> [Fragment] {
            (fragments ?? []).filter { fragment in
                steps.contains { $0.uses(fragment.name.text) }
            }
        }
        return used(UnheardFragment(subject)?.fragments)
            + used(NextFragment(subject).map { [$0.fragment] })
            + used(EchoedFragment(subject)?.fragments) + testCase.fragments
            + used(AliveFragment(subject)?.fragments) + used(SideEffect(subject)?.fragments)
    }

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
    ) -> Header {
        func name(_ text: String) -> Name { Name(text, range: .none) }
        func time(_ milliseconds: Int64) -> DurationLiteral {
            DurationLiteral(nanoseconds: milliseconds * 1_000_000, range: .none)
        }
        let milliseconds = max(1, testCase.patience / 1_000_000)
        var header = Header()
        header.title = name(oneLine("\(heading.id): \(heading.claim) (\(testCase.title))"))
        header.dialect = name(subject.writtenName)
        header.operators = testCase.actors.map { name($0.handle) }
        header.citations = heading.clause.map { [citation($0, heading.level)] } ?? []
        header.stepTimeout = time(milliseconds)
        header.fileTimeout = time(milliseconds * 3 + 60_000)
        for (variable, value) in subject.variables.sorted(by: { $0.key < $1.key }) {
            if subject.secrets.contains(variable) {
                header.secrets.append(name(variable))
            } else {
                header.settings.append(HeaderSetting(name: name(variable), value: .bytes(value)))
            }
        }
        return header
    }

    /// Returns the citation of a clause. In the scenario language, a section must be a single word,
    /// so a longer section becomes part of the document's name.
    private static func citation(_ clause: Clause, _ level: RequirementLevel) -> Citation {
        let isWord = !clause.section.isEmpty && !clause.section.contains(" ")
        let isLong = !clause.section.isEmpty && !isWord
        return Citation(
            document: clause.document + (isLong ? ", \(clause.section)" : ""),
            section: isWord ? clause.section : nil, statedLevel: level,
            quote: clause.quote.isEmpty ? nil : clause.quote, range: .none)
    }

    /// Escapes line ends and removes comment markers, so that the text fits on a `title` line.
    private static func oneLine(_ text: String) -> String {
        escapedForDisplay(text).replacing(" # ", with: " ")
    }
}

extension GeneratedScenario {
    /// Minimum size of the secrets to hide. Shorter ones may occur in other words by chance.
    private static let secretBytesMin = 4

    /// Replaces the values of secret variables with placeholders.
    fileprivate mutating func hide(_ secrets: [(name: String, value: [UInt8])]) {
        let secrets = secrets.filter { $0.value.count >= Self.secretBytesMin }
        if secrets.isEmpty { return }
        func hidden(_ step: Step) -> Step {
            step.mapTemplates { template in
                secrets.reduce(template) { template, secret in
                    let placeholder = Placeholder(.variable(secret.name), range: .none)
                    return template.replacing(secret.value, with: .placeholder(placeholder))
                }
            }
        }
        for index in sections.indices { sections[index].steps = sections[index].steps.map(hidden) }
        for index in fragments.indices {
            fragments[index].steps = fragments[index].steps.map(hidden)
        }
    }
}
