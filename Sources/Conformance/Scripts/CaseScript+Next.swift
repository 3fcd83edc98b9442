import LineProtocol
import Scenario

extension CaseScript {
    /// Adds a requirement that only the scenario file states: this message is the next line that
    /// the client receives.
    mutating func hearNext(
        _ text: [UInt8], from speaker: String, as handle: String, room other: Int? = nil
    ) {
        guard let talk = subject.talk else { return }
        let given = arguments(
            [
                ("from", .text(actor(speaker).name)), ("room", .int(other ?? room ?? 0)),
                ("text", .spelled(text)),
            ], of: talk.hears)
        let name =
            speaker == handle && EchoedFragment(subject) != nil
            ? EchoedFragment.names.next
            : NextFragment(subject) == nil ? talk.hears : NextFragment.name
        require([.use(name, as: handle, given)], by: handle, topic: text)
    }
}
