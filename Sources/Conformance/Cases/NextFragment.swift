import Scenario

/// A fragment for scenario files that expects a message as the very next line, without skipping
/// other lines.
struct NextFragment {
    static let name = "hearnext"

    let fragment: Fragment

    /// Creates the fragment; nil if a message arrives as more than one line, or if its line
    /// contains the recipient's name.
    init?(_ subject: Subject) {
        guard let fragment = ReceiveLine.fragment(Self.name, .next, subject) else { return nil }
        self.fragment = fragment
    }
}

extension CheckCase {
    /// Returns the case with a scenario file that allows no other line before an expected message.
    /// Returns nil if that makes no difference, or if the dialect has no such fragment.
    func exact(_ subject: Subject) -> CheckCase? {
        guard let talk = subject.talk, NextFragment(subject) != nil else { return nil }
        var copy = self
        for index in steps.indices where steps[index].role == .question {
            copy.steps[index].changeWritten {
                $0.renamingUse(of: talk.hears, to: NextFragment.name)
            }
        }
        return copy.steps == steps ? nil : copy
    }
}

extension Step {
    /// Returns a copy that uses another fragment; returns other steps unchanged.
    fileprivate func renamingUse(of name: String, to other: String) -> Step {
        guard case .use(var use) = kind, use.name.text == name else { return self }
        use.name.text = other
        var copy = self
        copy.kind = .use(use)
        return copy
    }
}
