import DialectModel
import LineProtocol
import Scenario

/// The dialect's login split into fragments, for cases with an unusual login.
struct LoginParts {
    static let names = (
        silent: "loginonly", rules: "loginrules", answers: "loggedin", sends: "loginsends",
        opens: "loginopens", completes: "logincompletes"
    )

    private let steps: [Step]
    private let takesWord: Bool
    private let takesName: Bool

    /// Creates the parts; nil if the dialect has no login.
    init?(_ subject: Subject) {
        guard let login = subject.bound["login"] else { return nil }
        takesWord = login.uses(variable: "token")
        takesName = login.takes("name")
        // In a standing rule, the `token` placeholder captures a new value from each line, so it is
        // not renamed.
        steps = login.steps.map { $0.isRule ? $0 : $0.renaming("token", to: "word") }
    }

    /// True if the login has standing rules, such as replies to pings.
    var hasRules: Bool { steps.contains(where: \.isRule) }

    /// The login without its standing rules. After this login, the client sends nothing on its own.
    var silent: Fragment { fragment(Self.names.silent, steps.filter { !$0.isRule }) }

    /// Only the standing rules of the login.
    var rules: Fragment { fragment(Self.names.rules, steps.filter(\.isRule)) }

    /// Only the expectations of the login.
    var answers: Fragment {
        fragment(
            Self.names.answers,
            steps.filter { if case .expect = $0.kind { true } else { false } })
    }

    /// Only the sends of the login.
    var sending: Fragment { fragment(Self.names.sends, sends) }

    /// The part of the login before its first expectation.
    var opening: Fragment { fragment(Self.names.opens, Array(steps[..<firstExpectation])) }

    /// The part of the login from its first expectation on.
    var completion: Fragment { fragment(Self.names.completes, Array(steps[firstExpectation...])) }

    private var firstExpectation: Int {
        steps.firstIndex { $0.awaited != nil } ?? steps.endIndex
    }

    private var sends: [Step] { steps.filter { $0.sent != nil } }

    /// Returns all bytes that the login sends; nil if they depend on data from the server.
    func bytes(name: String, word: String, _ subject: Subject) -> [UInt8]? {
        let values = ["name": Array(name.utf8), "word": Array(word.utf8)]
        return WireLine(sends, values, by: name, subject)?.bytes
    }

    private func fragment(_ name: String, _ steps: [Step]) -> Fragment {
        let parameters = [("name", takesName), ("word", takesWord)].filter(\.1).map(\.0)
        return Fragment(name, parameters, steps)
    }

    /// Returns the step that runs a fragment.
    func use(_ name: String, by actor: CaseActor, word: String) -> Step {
        use(name, by: actor.handle, name: actor.name, word: word)
    }

    /// Returns the step that runs a fragment with the given login name.
    func use(_ fragment: String, by handle: String, name: String, word: String) -> Step {
        .use(
            fragment, as: handle,
            (takesName ? [Argument("name", .text(name))] : [])
                + (takesWord ? [Argument("word", .text(word))] : []))
    }
}
