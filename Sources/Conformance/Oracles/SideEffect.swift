import Scenario
import DialectModel
import Diagnostics
import LineProtocol
import Results
import Session

/// F4: where no probe is answered, what somebody has left with the server is read back: a topic that is set and asked
/// for, a message to oneself. By it a server that is there is told from one that is deaf, where else silence decides.
struct SideEffect {
    /// The behaviours by which a value is left with the server, and read back.
    static let behaviours = (leaves: "remember", reads: "recall")
    /// What they are called as fragments of a case. Unlike the behaviours these are not ended by a refusal that came
    /// before.
    private static let names = (leaves: "remembered", reads: "recalled")

    typealias SideFragment = (name: String, text: String, parameters: [String])

    /// The fragments.
    let fragments: [SideFragment]

    /// Nil where a probe says the same sooner, or the dialect states nothing to be read back.
    init?(_ subject: Subject) {
        guard !subject.has("probe"), let leaves = subject.bound[Self.behaviours.leaves],
            let reads = subject.bound[Self.behaviours.reads]
        else { return nil }
        fragments = [
            Self.fragment(Self.names.leaves, leaves), Self.fragment(Self.names.reads, reads),
        ]
    }

    private static func fragment(_ name: String, _ behaviour: BoundBehaviour) -> SideFragment {
        // A parameter that is not used would be one too many.
        let parameters = ["name", "value"].filter { behaviour.uses(variable: $0) }
        let steps = behaviour.steps.map { $0.awaited == nil ? $0 : $0.expecting(.skip) }
        return (name, FragmentText.text(name, parameters, steps), parameters)
    }

    /// The step that leaves a value.
    func leave(_ value: String, by actor: Actor) -> String { use(Self.names.leaves, actor, value) }

    /// The step that reads it back.
    func read(_ value: String, by actor: Actor) -> String { use(Self.names.reads, actor, value) }

    private func use(_ name: String, _ actor: Actor, _ value: String) -> String {
        let taken = fragments.first { $0.name == name }?.parameters ?? []
        let given = [("name", actor.name), ("value", value)].filter { taken.contains($0.0) }
        let arguments = given.map { "\($0.0): \"\($0.1)\"" }.joined(separator: ", ")
        return "use \(name) as \(actor.handle)" + (given.isEmpty ? "" : " (\(arguments))")
    }

    /// The fragments that these steps use.
    func texts(for steps: [CaseStep]) -> [String] {
        fragments.filter { name, _, _ in steps.contains { $0.text.hasPrefix("use \(name) ") } }
            .map(\.text)
    }

    /// Whether a step is one of these.
    static func asks(_ text: String) -> Bool {
        [names.leaves, names.reads].contains { text.hasPrefix("use \($0) ") }
    }

    /// A judgement in which it also counts what was read: something that came, but not the value, is no deafness.
    static func judge(_ judgement: Judgement, in evidence: Evidence) -> Judgement {
        guard case .failed(let finding) = judgement, finding.kind == "wedged",
            let step = evidence.decidingStep, asks(evidence.play.steps[step].text),
            let line = evidence.entries.last(where: { entry, place in
                place == step && entry.kind == .received
                    && entry.operatorName == evidence.play.steps[step].handle
            })
        else { return judgement }
        return .failed(
            Finding(
                "forgotten", expected: finding.expected,
                got: "read back `\(escapedForDisplay(line.entry.bytes))`"))
    }
}
