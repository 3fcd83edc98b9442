import DialectModel
import Scenario

/// That a text does not arrive, as a fragment of the scenario: the dialect's way of hearing, negated.
struct UnheardFragment {
    static let name = "unheard"

    /// The fragment.
    let text: String

    /// Nil where the dialect's way of hearing is more than one line, or knows the hearer by name, which
    /// fragments do not.
    init?(_ subject: Subject) {
        guard let text = HeardLine.fragment(Self.name, .never, subject) else { return nil }
        self.text = text
    }
}

/// The dialect's way of hearing with another arrow.
enum HeardLine {
    /// Nil where it is more than one line, or knows the hearer by name, which fragments do not.
    static func fragment(_ name: String, _ mode: Expectation.Mode, _ subject: Subject) -> String? {
        guard let talk = subject.talk, let heard = subject.bound[talk.hears],
            !heard.uses(variable: "name"), heard.steps.count == 1, heard.awaits.count == 1
        else { return nil }
        return FragmentText.text(
            name, heard.parameters, [heard.steps[0].expecting(mode)])
    }
}
