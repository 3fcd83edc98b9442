import LineProtocol

/// The question whether the server is there still, as a fragment of the scenario: the dialect's probe, with a
/// word for its token. Unlike the behaviour it is not ended by a refusal that came before.
struct AliveFragment {
    static let name = "alive"

    /// The fragment's text.
    let text: String
    private let takesWord: Bool

    /// Nil where the dialect states no probe.
    init?(_ subject: Subject) {
        guard let probe = subject.dialect.behaviours["probe"] else { return nil }
        takesWord = probe.text.contains("{{token}}")
        let steps = probe.text.split(separator: "\n").map { line in
            let step = line.drop { $0 == " " }
            let isExpectation = step.hasPrefix("<- ")
            return "    "
                + (isExpectation ? "<~" + step.dropFirst(2) : String(step))
                .replacing("{{token}}", with: "{{word}}")
        }
        let parameters = takesWord ? "(word)" : ""
        text =
            "fragment \(Self.name)\(parameters) {\n" + steps.joined(separator: "\n") + "\n}"
    }

    /// The step that asks.
    func use(by handle: String, word: String) -> String {
        "use \(Self.name) as \(handle)" + (takesWord ? " (word: \"\(word)\")" : "")
    }
}
