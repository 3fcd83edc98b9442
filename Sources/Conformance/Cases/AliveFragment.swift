import DialectModel
import LineProtocol
import Scenario

/// Fragments that test whether the server still answers: one sends the dialect's probe and waits
/// for the answer; the other two do only one of these. The case chooses the probe's token. Unlike
/// the `probe` behaviour, the fragments do not fail if the server refuses an earlier line.
struct AliveFragment {
    /// Names of the fragments for the whole probe, for its request and for its answer.
    static let names = (alive: "alive", ask: "ask", answered: "answered")

    private let steps: [Step]
    private let takesWord: Bool

    /// Creates the fragments; nil if the dialect has no probe.
    init?(_ subject: Subject) {
        guard let probe = subject.bound["probe"] else { return nil }
        takesWord = probe.uses(variable: "token")
        steps = probe.steps.map { step in
            let renamed = step.renaming("token", to: "word")
            return step.awaited == nil ? renamed : renamed.expecting(.skip)
        }
    }

    var fragments: [Fragment] {
        let names = Self.names
        return [
            (names.alive, steps), (names.ask, asking),
            (names.answered, steps.filter { $0.awaited != nil }),
        ].map { Fragment($0, takesWord ? ["word"] : [], $1) }
    }

    private var asking: [Step] { steps.filter { $0.sent != nil } }

    /// Returns the step that sends the request and waits for the answer.
    func use(by handle: String, word: String) -> Step { use(Self.names.alive, handle, word) }

    /// Returns the step that only sends the request.
    func ask(by handle: String, word: String) -> Step { use(Self.names.ask, handle, word) }

    /// Returns the step that waits for the answer.
    func answered(by handle: String, word: String) -> Step {
        use(Self.names.answered, handle, word)
    }

    private func use(_ name: String, _ handle: String, _ word: String) -> Step {
        .use(name, as: handle, takesWord ? [Argument("word", .text(word))] : [])
    }

    /// Returns the request as sent; nil if it depends on data from the server.
    func wire(word: String, _ subject: Subject) -> WireLine? {
        WireLine(asking, ["word": Array(word.utf8)], by: "prober", subject)
    }
}
