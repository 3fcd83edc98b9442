import LineProtocol

/// That the server gives back what it was told, as a fragment of the scenario: a probe whose answer repeats its word, or
/// what is left with the server and read back. Unlike the behaviours it is not ended by a refusal that came before.
struct EchoFragment {
    static let name = "echo"

    private let lines: [String]

    /// Nil where the dialect states no probe, or its answer does not repeat a word.
    static func probe(_ subject: Subject) -> EchoFragment? {
        guard let probe = subject.dialect.behaviours["probe"] else { return nil }
        let lines = probe.text.split(separator: "\n")
        let repeats = ["->", "<"].allSatisfy { arrow in
            lines.contains { line in
                line.drop { $0 == " " }.hasPrefix(arrow) && line.contains("{{token}}")
            }
        }
        return repeats ? EchoFragment([probe.text.replacing("{{token}}", with: "{{value}}")]) : nil
    }

    /// Nil where the dialect states nothing that is left with the server and read back.
    static func recall(_ subject: Subject) -> EchoFragment? {
        let known = subject.dialect.behaviours
        guard let leaves = known[SideEffect.behaviours.leaves],
            let reads = known[SideEffect.behaviours.reads]
        else { return nil }
        return EchoFragment([leaves.text, reads.text])
    }

    private init(_ texts: [String]) {
        lines = texts.flatMap { $0.split(separator: "\n") }.map { line in
            let step = line.drop { $0 == " " }
            return step.hasPrefix("<- ") ? "<~" + step.dropFirst(2) : String(step)
        }
    }

    /// The fragment.
    var text: String { Self.fragment(lines) }

    private static func fragment(_ lines: [String]) -> String {
        let parameters = takesName(lines) ? "name, value" : "value"
        let body = lines.map { "    \($0)" }.joined(separator: "\n")
        return "fragment \(name)(\(parameters)) {\n\(body)\n}"
    }

    /// A parameter that is not used would be one too many.
    private static func takesName(_ lines: [String]) -> Bool {
        lines.contains { $0.contains("{{name}}") }
    }

    private static func arguments(_ value: [UInt8], _ name: String, _ lines: [String]) -> String {
        let named = takesName(lines) ? "name: \"\(name)\", " : ""
        return " (\(named)value: \(SpelledBytes.string(value)))"
    }

    /// The step that tells a value and waits until it comes back.
    func use(_ value: [UInt8], by actor: Actor) -> String {
        "use \(Self.name) as \(actor.handle)\(Self.arguments(value, actor.name, lines))"
    }

    /// Whether what is sent for a value has it as one of its arguments: a line that the dialect writes out as text may
    /// have no spelling for it.
    func carries(_ value: [UInt8], _ subject: Subject) -> Bool {
        let sends = lines.filter { $0.hasPrefix("->") && $0.contains("{{value}}") }
        let wire = WireLine.spoken(
            by: "prober", Self.name, Self.arguments(value, "x", sends), subject,
            fragments: [Self.fragment(sends)])
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
