import DialectModel
import Scenario

/// That a text does not arrive, as a fragment of the scenario: the dialect's way of hearing, negated.
struct UnheardFragment {
    static let name = "unheard"
    /// The name of the form that takes any text of a sender.
    static let anyName = "unheardany"

    /// The fragment.
    let text: String
    /// The fragment for any text.
    let anyText: String

    /// Nil where the dialect's way of hearing is more than one line, or knows the hearer by name, which
    /// fragments do not.
    init?(_ subject: Subject) {
        guard let text = ReceiveLine.fragment(Self.name, .never, subject),
            let any = ReceiveLine.fragment(Self.anyName, .never, ofAnyText: true, subject)
        else { return nil }
        self.text = text
        anyText = any
    }
}

/// The dialect's way of hearing with another arrow.
enum ReceiveLine {
    /// Nil where it is more than one line, or knows the hearer by name, which fragments do not.
    static func fragment(
        _ name: String, _ mode: Expectation.Mode, ofAnyText: Bool = false, _ subject: Subject
    ) -> String? {
        guard let talk = subject.talk, let heard = subject.bound[talk.hears],
            !heard.uses(variable: "name"), heard.steps.count == 1, heard.awaits.count == 1
        else { return nil }
        var step = heard.steps[0].expecting(mode)
        guard ofAnyText else { return FragmentText.text(name, heard.parameters, [step]) }
        step = step.mapPlaceholders { placeholder in
            placeholder.variable == "text"
                ? Placeholder(.anything, range: placeholder.range) : placeholder
        }
        return FragmentText.text(name, heard.parameters.filter { $0 != "text" }, [step])
    }
}
