import Scenario
import DialectModel
import Diagnostics
import LineProtocol
import Results
import Session

/// Read-back check for dialects without a probe: a value, such as a topic or a message to oneself,
/// is stored on the server and read back. Without this check, only a timeout could distinguish an
/// unresponsive server from a live one.
struct SideEffect {
    /// The behaviours that store a value and read it back.
    static let behaviours = (leaves: "remember", reads: "recall")
    /// Names of the fragments for these behaviours. Unlike the behaviours, the fragments do not
    /// fail if the server refuses an earlier line.
    private static let names = (leaves: "remembered", reads: "recalled")

    let fragments: [Fragment]

    /// Creates the fragments; nil if the dialect lacks these behaviours, or if it has a probe,
    /// which is faster.
    init?(_ subject: Subject) {
        guard !subject.has("probe"), let leaves = subject.bound[Self.behaviours.leaves],
            let reads = subject.bound[Self.behaviours.reads]
        else { return nil }
        fragments = [
            Self.fragment(Self.names.leaves, leaves), Self.fragment(Self.names.reads, reads),
        ]
    }

    private static func fragment(_ name: String, _ behaviour: BoundBehaviour) -> Fragment {
        // Unused parameters are errors.
        let parameters = ["name", "value"].filter { behaviour.uses(variable: $0) }
        let steps = behaviour.steps.map { $0.awaited == nil ? $0 : $0.expecting(.skip) }
        return Fragment(name, parameters, steps)
    }

    /// Returns the step that stores a value.
    func leave(_ value: String, by actor: CaseActor) -> Step {
        use(Self.names.leaves, actor, value)
    }

    /// Returns the step that reads a value back.
    func read(_ value: String, by actor: CaseActor) -> Step {
        use(Self.names.reads, actor, value)
    }

    private func use(_ name: String, _ actor: CaseActor, _ value: String) -> Step {
        let taken = fragments.first { $0.name.text == name }?.parameters.map(\.text) ?? []
        let given = [("name", actor.name), ("value", value)].filter { taken.contains($0.0) }
        return .use(name, as: actor.handle, given.map { Argument($0.0, .text($0.1)) })
    }

    /// Returns whether a step uses one of these fragments.
    static func asks(_ step: CaseStep) -> Bool {
        step.uses(names.leaves) || step.uses(names.reads)
    }

    /// Returns a `forgotten` finding instead of a `wedged` one if any line was read back, because
    /// even a wrong value shows that the server is alive. Other judgements are returned unchanged.
    static func judge(_ judgement: Judgement, in evidence: Evidence) -> Judgement {
        guard case .failed(let finding) = judgement, finding.kind == "wedged",
            let step = evidence.decidingStep, asks(evidence.testCase.steps[step]),
            let line = evidence.entries.last(where: { entry, entryStep in
                entryStep == step && entry.kind == .received
                    && entry.operatorName == evidence.testCase.steps[step].handle
            })
        else { return judgement }
        return .failed(
            Finding(
                "forgotten", expected: finding.expected,
                got: "read back `\(escapedForDisplay(line.entry.bytes))`"))
    }
}
