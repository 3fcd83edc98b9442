import LineProtocol
import Scenario

/// The dialect's login in parts, as fragments: for cases that log in otherwise than as the dialect says.
struct LoginParts {
    /// The fragments' names.
    static let names = (
        silent: "loginonly", rules: "loginrules", answers: "loggedin", sends: "loginsends"
    )

    private let lines: [String]
    private let takesWord: Bool
    private let takesName: Bool

    /// Nil where the dialect states no login.
    init?(_ subject: Subject) {
        guard let login = subject.dialect.behaviours["login"] else { return nil }
        takesWord = login.text.contains("{{token}}")
        takesName = login.parameters.contains("name")
        lines = login.text.split(separator: "\n").map { line in
            let step = String(line.drop { $0 == " " })
            // In standing rules a hole captures anew for each line.
            return Self.isRule(step) ? step : step.replacing("{{token}}", with: "{{word}}")
        }
    }

    /// Whether the server is answered by itself, as with a standing reply to its pings.
    var hasRules: Bool { lines.contains(where: Self.isRule) }

    private static func isRule(_ step: String) -> Bool {
        step.hasPrefix("on ") || step.hasPrefix("ignore ")
    }

    /// The login without its standing rules: who logs in so, says nothing afterwards.
    var silent: String { fragment(Self.names.silent) { !Self.isRule($0) } }

    /// The standing rules alone.
    var rules: String { fragment(Self.names.rules, Self.isRule) }

    /// What answers the login.
    var answers: String { fragment(Self.names.answers) { $0.hasPrefix("<") } }

    /// What is sent alone, whatever is answered.
    var sending: String { fragment(Self.names.sends) { $0.hasPrefix("->") } }

    /// What is sent, all at once; nil where that depends on what the server says.
    func bytes(name: String, word: String, _ subject: Subject) -> [UInt8]? {
        let given = arguments(name: "\"\(name)\"", word: word)
        return WireLine.spoken(
            by: "prober", Self.names.sends, given, subject, fragments: [sending])?.bytes
    }

    /// The step that plays one of the fragments.
    func use(_ name: String, by actor: Actor, word: String) -> String {
        use(name, by: actor.handle, name: "\"\(actor.name)\"", word: word)
    }

    /// The same under a name that stands in quotes.
    func use(_ fragment: String, by handle: String, name: String, word: String) -> String {
        "use \(fragment) as \(handle)\(arguments(name: name, word: word))"
    }

    private func fragment(_ name: String, _ isKept: (String) -> Bool) -> String {
        let body = lines.filter(isKept).map { "    \($0)" }.joined(separator: "\n")
        let parameters = [("name", takesName), ("word", takesWord)].filter(\.1).map(\.0)
        let list = parameters.isEmpty ? "" : "(\(parameters.joined(separator: ", ")))"
        return "fragment \(name)\(list) {\n\(body)\n}"
    }

    private func arguments(name: String, word: String) -> String {
        let given = [("name", name, takesName), ("word", "\"\(word)\"", takesWord)].filter(\.2)
            .map { "\($0.0): \($0.1)" }
        return given.isEmpty ? "" : " (\(given.joined(separator: ", ")))"
    }
}
