import LineProtocol

/// That a text does not arrive, as a fragment of the scenario: the dialect's way of hearing, negated.
struct UnheardFragment {
    static let name = "unheard"

    /// The fragment.
    let text: String

    /// Nil where the dialect's way of hearing is more than one line, or knows the hearer by name, which
    /// fragments do not.
    init?(_ subject: Subject) {
        guard let text = HeardLine.fragment(Self.name, "<!", subject) else { return nil }
        self.text = text
    }
}

/// The dialect's way of hearing with another arrow.
enum HeardLine {
    /// Nil where it is more than one line, or knows the hearer by name, which fragments do not.
    static func fragment(_ name: String, _ arrow: String, _ subject: Subject) -> String? {
        guard let talk = subject.talk, let heard = subject.dialect.behaviours[talk.hears],
            !heard.text.contains("{{name}}")
        else { return nil }
        let lines = heard.text.split(separator: "\n").map { String($0.drop { $0 == " " }) }
        guard lines.count == 1, lines[0].hasPrefix("<~") || lines[0].hasPrefix("<-") else {
            return nil
        }
        let parameters = heard.parameters.joined(separator: ", ")
        return "fragment \(name)(\(parameters)) {\n    \(arrow)\(lines[0].dropFirst(2))\n}"
    }
}
