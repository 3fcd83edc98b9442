import DialectModel
import LineProtocol
import Scenario

/// The dialect's login in parts, as fragments: for cases that log in otherwise than as the dialect says.
struct LoginParts {
    /// The fragments' names.
    static let names = (
        silent: "loginonly", rules: "loginrules", answers: "loggedin", sends: "loginsends"
    )

    private let steps: [Step]
    private let takesWord: Bool
    private let takesName: Bool

    /// Nil where the dialect has no login.
    init?(_ subject: Subject) {
        guard let login = subject.bound["login"] else { return nil }
        takesWord = login.uses(variable: "token")
        takesName = login.takes("name")
        // In standing rules a placeholder captures again for each line.
        steps = login.steps.map { $0.isRule ? $0 : $0.renaming("token", to: "word") }
    }

    /// Whether the server is answered by itself, as with a standing reply to its pings.
    var hasRules: Bool { steps.contains(where: \.isRule) }

    /// The login without its standing rules: who logs in so, says nothing afterwards.
    var silent: String { fragment(Self.names.silent, steps.filter { !$0.isRule }) }

    /// The standing rules alone.
    var rules: String { fragment(Self.names.rules, steps.filter(\.isRule)) }

    /// What answers the login.
    var answers: String {
        fragment(
            Self.names.answers,
            steps.filter { if case .expect = $0.kind { true } else { false } })
    }

    /// What is sent alone, whatever is answered.
    var sending: String { fragment(Self.names.sends, sends) }

    private var sends: [Step] { steps.filter { $0.sent != nil } }

    /// What is sent, all at once; nil where that depends on what the server says.
    func bytes(name: String, word: String, _ subject: Subject) -> [UInt8]? {
        let values = ["name": Array(name.utf8), "word": Array(word.utf8)]
        return WireLine(sends, values, by: name, subject)?.bytes
    }

    private func fragment(_ name: String, _ steps: [Step]) -> String {
        let parameters = [("name", takesName), ("word", takesWord)].filter(\.1).map(\.0)
        return FragmentText.text(name, parameters, steps)
    }

    /// The step that plays one of the fragments.
    func use(_ name: String, by actor: Actor, word: String) -> String {
        use(name, by: actor.handle, name: "\"\(actor.name)\"", word: word)
    }

    /// The same under a name that stands in quotes.
    func use(_ fragment: String, by handle: String, name: String, word: String) -> String {
        "use \(fragment) as \(handle)\(arguments(name: name, word: word))"
    }

    private func arguments(name: String, word: String) -> String {
        let given = [("name", name, takesName), ("word", "\"\(word)\"", takesWord)].filter(\.2)
            .map { "\($0.0): \($0.1)" }
        return given.isEmpty ? "" : " (\(given.joined(separator: ", ")))"
    }
}
