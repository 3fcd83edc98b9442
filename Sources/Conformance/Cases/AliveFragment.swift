import Diagnostics
import DialectModel
import LineProtocol
import Scenario

/// Fragments that test whether the server still answers. They contain the dialect's probe twice: as
/// a whole, and split into request and answer. The case chooses the probe's token. Unlike the
/// `probe` behaviour, they do not fail if the server refuses an earlier line.
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

    /// Returns the fragments that the given steps use.
    func texts(for steps: [CaseStep]) -> [String] {
        let names = Self.names
        return [
            (names.alive, self.steps), (names.ask, asking),
            (names.answered, self.steps.filter { $0.awaited != nil }),
        ].filter { name, _ in steps.contains { $0.text.hasPrefix("use \(name) ") } }
            .map { name, steps in
                FragmentText.text(name, takesWord ? ["word"] : [], steps)
            }
    }

    private var asking: [Step] { steps.filter { $0.sent != nil } }

    /// Returns the step that sends the request and waits for the answer.
    func use(by handle: String, word: String) -> String { use(Self.names.alive, handle, word) }

    /// Returns the step that only sends the request.
    func ask(by handle: String, word: String) -> String { use(Self.names.ask, handle, word) }

    /// Returns the step that waits for the answer.
    func answered(by handle: String, word: String) -> String {
        use(Self.names.answered, handle, word)
    }

    private func use(_ name: String, _ handle: String, _ word: String) -> String {
        "use \(name) as \(handle)" + (takesWord ? " (word: \"\(word)\")" : "")
    }

    /// Returns the request as sent; nil if it depends on data from the server.
    func wire(word: String, _ subject: Subject) -> WireLine? {
        WireLine(asking, ["word": Array(word.utf8)], by: "prober", subject)
    }
}

/// A formatter that prints fragments as scenario text.
enum FragmentText {
    static func text(_ name: String, _ parameters: [String], _ steps: [Step]) -> String {
        let range = steps.first?.range ?? .init(start: 0, end: 0)
        let fragment = Fragment(
            name: Name(name, range: range), parameters: parameters.map { Name($0, range: range) },
            steps: steps, range: range)
        return StepPrinter.lines(fragment).joined(separator: "\n")
    }
}
