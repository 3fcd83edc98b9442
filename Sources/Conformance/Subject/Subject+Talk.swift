import DialectModel
import LineProtocol
import Scenario

extension Subject {
    /// True if a client can be isolated from an exchange between other clients.
    var hasBystander: Bool { isolatesOperators && talk?.isAddressed == true }

    /// The reason that checks with single-line messages do not apply.
    var noMessages: String {
        guard talk == nil else { return "the dialect has no single-line messages" }
        let missing = ["say", "heard"].filter { !has($0) }.map { "`\($0)`" }
        return "the dialect has no \(missing.joined(separator: " or ")) behaviour"
    }

    /// The reason that checks with single-line messages and a probe do not apply.
    var noMessagesOrProbe: String {
        talk?.isOneLine == true ? "the dialect has no probe" : noMessages
    }

    /// The answers to a message that do not depend on earlier lines.
    var talkAnswers: [Step] {
        let steps = talk.flatMap { bound[$0.sends]?.steps } ?? []
        return steps.filter { $0.awaited?.placeholders.isEmpty ?? false }
    }

    /// True if the server replies to the sender of a message.
    var isTalkAnswered: Bool {
        guard let talk, let sends = bound[talk.sends] else { return true }
        return dialect.policies["echo"] != "none" || !sends.awaits.isEmpty
    }
}
