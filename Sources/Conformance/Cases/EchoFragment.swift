import DialectModel
import LineProtocol
import Scenario

/// That the server gives back what it was told, as a fragment of the scenario: a probe whose answer repeats its word, or
/// what is left with the server and read back. Unlike the behaviours it is not ended by a refusal that came before.
struct EchoFragment {
    static let name = "echo"

    private let steps: [Step]

    /// Nil where the dialect has no probe, or its answer does not repeat a word.
    static func probe(_ subject: Subject) -> EchoFragment? {
        guard let probe = subject.bound["probe"], probe.sends(variable: "token"),
            probe.awaits(variable: "token")
        else { return nil }
        return EchoFragment(probe.steps.map { $0.renaming("token", to: "value") })
    }

    /// Nil where the dialect has nothing that is left with the server and read back.
    static func recall(_ subject: Subject) -> EchoFragment? {
        guard let leaves = subject.bound[SideEffect.behaviours.leaves],
            let reads = subject.bound[SideEffect.behaviours.reads]
        else { return nil }
        return EchoFragment(leaves.steps + reads.steps)
    }

    private init(_ steps: [Step]) {
        self.steps = steps.map { $0.awaited == nil ? $0 : $0.expecting(.skip) }
    }

    /// The fragment.
    var text: String {
        FragmentText.text(Self.name, takesName ? ["name", "value"] : ["value"], steps)
    }

    /// A parameter that is not used would be one too many.
    private var takesName: Bool { steps.contains { $0.uses(variable: "name") } }

    private func arguments(_ value: [UInt8], _ name: String) -> String {
        let named = takesName ? "name: \"\(name)\", " : ""
        return " (\(named)value: \(SpelledBytes.string(value)))"
    }

    /// The step that tells a value and waits until it comes back.
    func use(_ value: [UInt8], by actor: Actor) -> String {
        "use \(Self.name) as \(actor.handle)\(arguments(value, actor.name))"
    }

    /// Whether what is sent for a value has it as one of its arguments: a line that the dialect writes out as text may
    /// have no spelling for it.
    func carries(_ value: [UInt8], _ subject: Subject) -> Bool {
        let sends = steps.filter { $0.sent != nil && $0.uses(variable: "value") }
        let wire = WireLine(sends, ["value": value, "name": [0x78]], by: "prober", subject)
        guard let wire else { return false }
        var message = Message()
        let frame = Frame(line: 0..<wire.line.count, whole: 0..<wire.line.count)
        MessageDecoder(subject.dialect).decode(
            wire.line.span, frame, from: .fromClient, into: &message)
        return message.arguments.contains { argument in
            !argument.isAbsent && message.bytes(argument, in: wire.line.span) == value
        }
    }
}
