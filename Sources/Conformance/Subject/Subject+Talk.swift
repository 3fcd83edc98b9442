import DialectModel
import LineProtocol

extension Subject {
    /// True if a client can be isolated from an exchange between other clients.
    var hasBystander: Bool { isolatesOperators && talk?.isAddressed == true }

    /// True if the server replies to the sender of a message.
    var isTalkAnswered: Bool {
        guard let talk, let sends = bound[talk.sends] else { return true }
        return dialect.policies["echo"] != "none" || !sends.awaits.isEmpty
    }
}
