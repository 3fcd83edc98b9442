import Scenario
import LineProtocol

/// A fragment for written scenarios that expects a message as the very next line, without skipping
/// any.
struct NextFragment {
    static let name = "hearnext"

    let text: String

    /// Creates the fragment; nil if a message arrives as more than one line.
    init?(_ subject: Subject) {
        guard let text = ReceiveLine.fragment(Self.name, .next, subject) else { return nil }
        self.text = text
    }
}

extension CheckCase {
    /// Returns the case with a written scenario that allows no other line before an expected
    /// message. Returns nil if that makes no difference, or if a message arrives as more than one
    /// line.
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
