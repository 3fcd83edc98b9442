import Scenario
import LineProtocol

/// A fragment for scenario files that expects a message as the very next line, without skipping
/// other lines.
struct NextFragment {
    static let name = "hearnext"

    let text: String

    /// Creates the fragment; nil if a message arrives as more than one line, or if its line
    /// contains the recipient's name.
    init?(_ subject: Subject) {
        guard let text = ReceiveLine.fragment(Self.name, .next, subject) else { return nil }
        self.text = text
    }
}

extension CheckCase {
    /// Returns the case with a scenario file that allows no other line before an expected message.
    /// Returns nil if that makes no difference, or if the dialect has no such fragment.
    func exact(_ subject: Subject) -> CheckCase? {
        guard let talk = subject.talk, NextFragment(subject) != nil else { return nil }
        let hearing = "use \(talk.hears) as "
        var copy = self
        for index in steps.indices where steps[index].role == .question {
            let text = steps[index].strict ?? steps[index].text
            guard text.hasPrefix(hearing) else { continue }
            copy.steps[index].strict =
                "use \(NextFragment.name) as " + text.dropFirst(hearing.count)
        }
        return copy.steps == steps ? nil : copy
    }
}
