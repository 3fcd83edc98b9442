import LineProtocol
import Scenario

/// Fragments for scenario files in which a sender receives its own message and the answers to it, in
/// any order.
struct EchoedFragment {
    /// Names of the fragments: one skips other lines, the other allows none in between.
    static let names = (any: "echoed", next: "echoednext")

    let fragments: [Fragment]

    /// Creates the fragments; nil if senders do not receive their messages, if messages are not
    /// answered, or if a message arrives as more than one line.
    init?(_ subject: Subject) {
        let answers = subject.talkAnswers
        guard subject.dialect.policies["echo"] == "sender", !answers.isEmpty,
            let any = ReceiveLine.fragment(Self.names.any, .skip, subject),
            let next = ReceiveLine.fragment(Self.names.next, .next, subject)
        else { return nil }
        fragments = [(any, Expectation.Mode.skip), (next, .next)].map { fragment, mode in
            Fragment(
                fragment.name.text, fragment.parameters.map(\.text),
                [.anyOrder(fragment.steps + answers.map { $0.expecting(mode) })])
        }
    }
}
