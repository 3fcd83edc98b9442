import DialectModel
import LineProtocol
import Scenario

/// A fragment that requests a value from the server: it either sends a probe whose answer repeats
/// its token, or stores a value on the server and reads it back. Unlike the behaviours, it does not
/// fail if the server refuses an earlier line.
struct EchoFragment {
    static let name = "echo"

    private let steps: [Step]

    /// Returns the fragment for the probe; nil if the dialect has no probe whose answer repeats its
    /// token.
    static func probe(_ subject: Subject) -> EchoFragment? {
        guard let probe = subject.bound["probe"], probe.sends(variable: "token"),
            probe.awaits(variable: "token")
        else { return nil }
        return EchoFragment(probe.steps.map { $0.renaming("token", to: "value") })
    }

    /// Returns the fragment for `remember` and `recall`; nil if the dialect does not have them.
    static func recall(_ subject: Subject) -> EchoFragment? {
        guard let leaves = subject.bound[SideEffect.behaviours.leaves],
            let reads = subject.bound[SideEffect.behaviours.reads]
        else { return nil }
        return EchoFragment(leaves.steps + reads.steps)
    }

    private init(_ steps: [Step]) {
        self.steps = steps.map { $0.awaited == nil ? $0 : $0.expecting(.skip) }
    }

    var fragment: Fragment {
        Fragment(Self.name, takesName ? ["name", "value"] : ["value"], steps)
    }

    /// True if the fragment needs the `name` parameter. Unused parameters are errors.
    private var takesName: Bool { steps.contains { $0.uses(variable: "name") } }

    /// Returns the step that sends a value and waits for it to come back.
    func use(_ value: [UInt8], by actor: CaseActor) -> Step {
        let name = takesName ? [Argument("name", .text(actor.name))] : []
        return .use(Self.name, as: actor.handle, name + [Argument("value", .spelled(value))])
    }

    /// Returns whether the line that sends a value has an argument with exactly this value when it
    /// is decoded. A behaviour that sends a raw line may be unable to express the value.
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
