import Scenario
import LineProtocol

/// That a text is the next thing that comes, as a fragment of the scenario: the dialect's way of hearing, which passes
/// over nothing. For scenarios that are written down.
struct NextFragment {
    static let name = "hearnext"

    /// The fragment.
    let text: String

    /// Nil where the dialect's way of hearing is more than one line.
    init?(_ subject: Subject) {
        guard let text = ReceiveLine.fragment(Self.name, .next, subject) else { return nil }
        self.text = text
    }
}

extension CaseScript {
    /// In the scenario that is written down the next line that somebody receives brings this text.
    mutating func hearNext(
        _ text: [UInt8], from speaker: String, as handle: String, room other: Int? = nil
    ) {
        guard let talk = subject.talk else { return }
        let given = arguments(
            [
                ("from", "\"\(actor(speaker).name)\""), ("room", String(other ?? room ?? 0)),
                ("text", SpelledBytes.string(text)),
            ], of: talk.hears)
        let name = NextFragment(subject) == nil ? talk.hears : NextFragment.name
        step(
            .question, "", by: handle, strict: "use \(name) as \(handle)\(given)", topic: text)
    }
}

extension CheckCase {
    /// The case whose written scenario lets no other line come before a text that has to be heard. Nil
    /// where that makes no difference, or the dialect's way of hearing is more than one line.
    func exact(_ subject: Subject) -> CheckCase? {
        guard let talk = subject.talk, NextFragment(subject) != nil else { return nil }
        let hearing = "use \(talk.hears) as "
        var play = self
        for index in steps.indices where steps[index].role == .question {
            let text = steps[index].strict ?? steps[index].text
            guard text.hasPrefix(hearing) else { continue }
            play.steps[index].strict =
                "use \(NextFragment.name) as " + text.dropFirst(hearing.count)
        }
        return play.steps == steps ? nil : play
    }
}
