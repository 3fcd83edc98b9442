import DialectModel
import LineProtocol
import Scenario

/// Fragments that test whether the server still answers: one sends the dialect's probe and waits
/// for the answer; the other two do only one of these. The case chooses the probe's token. Unlike
/// the `probe` behaviour, the fragments do not fail if the server refuses an earlier line.
struct AliveFragment {
    /// Names of the fragments for the whole probe, for its request, for its answer, and for its
    /// answer or a close.
    static let names = (
        alive: "alive", ask: "ask", answered: "answered", answeredOrClosed: "answered-or-closed"
    )

    private let steps: [Step]
    let fragments: [Fragment]

    /// Creates the fragments; nil if the dialect has no probe.
    init?(_ subject: Subject) {
        guard let probe = subject.bound["probe"] else { return nil }
        let steps = probe.steps.map { step in
            let renamed = step.renaming("token", to: "word")
            return step.awaited == nil ? renamed : renamed.expecting(.skip)
        }
        let answer = steps.filter { $0.awaited != nil }
        let names = Self.names
        self.steps = steps
        fragments = [
            (names.alive, steps), (names.ask, Self.asking(steps)), (names.answered, answer),
            (names.answeredOrClosed, [.oneOf(answer, [.closed(nil)])]),
        ].map { name, steps in
            // Unused parameters are errors.
            Fragment(name, steps.contains { $0.uses(variable: "word") } ? ["word"] : [], steps)
        }
    }

    private static func asking(_ steps: [Step]) -> [Step] { steps.filter { $0.sent != nil } }

    /// Returns the step that sends the request and waits for the answer.
    func use(by handle: String, word: String) -> Step { use(Self.names.alive, handle, word) }

    /// Returns the step that only sends the request.
    func ask(by handle: String, word: String) -> Step { use(Self.names.ask, handle, word) }

    /// Returns the step that waits for the answer.
    func answered(by handle: String, word: String) -> Step {
        use(Self.names.answered, handle, word)
    }

    /// Returns the step that waits until the server answers or closes the connection.
    func answeredOrClosed(by handle: String, word: String) -> Step {
        use(Self.names.answeredOrClosed, handle, word)
    }

    private func use(_ name: String, _ handle: String, _ word: String) -> Step {
        let takesWord = fragments.contains { $0.name.text == name && !$0.parameters.isEmpty }
        return .use(name, as: handle, takesWord ? [Argument("word", .text(word))] : [])
    }

    /// Returns the request as sent; nil if it depends on data from the server.
    func wire(word: String, _ subject: Subject) -> WireLine? {
        WireLine(Self.asking(steps), ["word": Array(word.utf8)], by: "prober", subject)
    }
}
