import LineProtocol
import Results
import Session

extension CaseScript {
    /// Adds an expectation, only to the scenario file, that this message is the next line that the
    /// client receives.
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
