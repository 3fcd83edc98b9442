import DialectModel
import Scenario

/// A fragment that states that a text does not arrive: the dialect's receiving behaviour, negated.
struct UnheardFragment {
    static let name = "unheard"
    /// Name of the variant for any text of a sender.
    static let anyName = "unheardany"

    let text: String
    /// The variant for any text.
    let anyText: String

    /// Nil if texts arrive in more than one line, or the line names the recipient, which fragments
    /// do not know.
    init?(_ subject: Subject) {
        guard let text = ReceiveLine.fragment(Self.name, .never, subject),
            let any = ReceiveLine.fragment(Self.anyName, .never, ofAnyText: true, subject)
        else { return nil }
        self.text = text
        anyText = any
    }
}

/// The dialect's receiving line with another arrow.
enum ReceiveLine {
    /// Nil if it is more than one line, or names the recipient, which fragments do not know.
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
