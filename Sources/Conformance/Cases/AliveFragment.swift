import LineProtocol

/// The question whether the server is there still, as fragments of the scenario: the dialect's probe, with a
/// word for its token; as a whole, and as what is asked and what answers. Unlike the behaviour it is not ended
/// by a refusal that came before.
struct AliveFragment {
    /// The whole, its first half, its second half.
    static let names = (alive: "alive", ask: "ask", answered: "answered")

    private let lines: [String]
    private let takesWord: Bool

    /// Nil where the dialect states no probe.
    init?(_ subject: Subject) {
        guard let probe = subject.dialect.behaviours["probe"] else { return nil }
        takesWord = probe.text.contains("{{token}}")
        lines = probe.text.split(separator: "\n").map { line in
            let step = line.drop { $0 == " " }
            let isNext = step.hasPrefix("<- ")
            return (isNext ? "<~" + step.dropFirst(2) : String(step))
                .replacing("{{token}}", with: "{{word}}")
        }
    }

    /// The fragments that these steps use.
    func texts(for steps: [CaseStep]) -> [String] {
        let names = Self.names
        return [
            (names.alive, lines), (names.ask, lines.filter { $0.hasPrefix("->") }),
            (names.answered, lines.filter { $0.hasPrefix("<") }),
        ].filter { name, _ in steps.contains { $0.text.hasPrefix("use \(name) ") } }
            .map { name, lines in
                let body = lines.map { "    \($0)" }.joined(separator: "\n")
                return "fragment \(name)\(takesWord ? "(word)" : "") {\n\(body)\n}"
            }
    }

    /// The step that asks and waits for the answer.
    func use(by handle: String, word: String) -> String { use(Self.names.alive, handle, word) }

    /// The step that only asks.
    func ask(by handle: String, word: String) -> String { use(Self.names.ask, handle, word) }

    /// The step that waits for the answer.
    func answered(by handle: String, word: String) -> String {
        use(Self.names.answered, handle, word)
    }

    private func use(_ name: String, _ handle: String, _ word: String) -> String {
        "use \(name) as \(handle)" + (takesWord ? " (word: \"\(word)\")" : "")
    }

    /// The bytes that ask.
    func wire(word: String, _ subject: Subject) -> WireLine? {
        let fragment = texts(for: [CaseStep(role: .stimulus, text: ask(by: "x", word: ""))])
        return WireLine.spoken(
            by: "prober", Self.names.ask, takesWord ? " (word: \"\(word)\")" : "", subject,
            fragments: fragment)
    }
}
