import DialectModel
import Scenario

/// Fragments stating that messages do not arrive: negated forms of the dialect's receiving
/// behaviour.
struct UnheardFragment {
    static let name = "unheard"
    /// Name of the fragment that forbids any message from a sender.
    static let anyName = "unheardany"

    /// The fragments for one message and for any message.
    let fragments: [Fragment]

    /// Creates the fragments; nil if a message arrives as more than one line, or if its line
    /// contains the recipient's name, which is not available in a fragment.
    init?(_ subject: Subject) {
        guard let one = ReceiveLine.fragment(Self.name, .never, subject),
            let any = ReceiveLine.fragment(Self.anyName, .never, ofAnyText: true, subject)
        else { return nil }
        fragments = [one, any]
    }
}

/// Fragments made from the dialect's receiving behaviour, with a different expectation mode.
enum ReceiveLine {
    /// Returns a fragment whose expectation has the mode `mode`. With `ofAnyText`, it matches
    /// messages with any text. Returns nil if the dialect has no such behaviour, if the behaviour
    /// has more than one line, or if its line contains the recipient's name, which is not available
    /// in a fragment.
    static func fragment(
        _ name: String, _ mode: Expectation.Mode, ofAnyText: Bool = false, _ subject: Subject
    ) -> Fragment? {
        guard let talk = subject.talk, let receiving = subject.bound[talk.hears],
            !receiving.uses(variable: "name"), receiving.steps.count == 1,
            receiving.awaits.count == 1
        else { return nil }
        var step = receiving.steps[0].expecting(mode)
        guard ofAnyText else { return Fragment(name, receiving.parameters, [step]) }
        step = step.mapPlaceholders { placeholder in
            placeholder.variable == "text"
                ? Placeholder(.anything, range: placeholder.range) : placeholder
        }
        return Fragment(name, receiving.parameters.filter { $0 != "text" }, [step])
    }
}
