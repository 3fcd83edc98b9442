import DialectModel

/// The dialect's behaviours for sending and receiving messages.
struct MessageBehaviours: Sendable, Hashable {
    /// Name of the sending behaviour: `say` or `relay`.
    var sends: String
    /// Name of the receiving behaviour: `heard` or `arrival`.
    var hears: String
    /// True if messages are sent in a room that clients enter.
    var isRoom: Bool
    /// True if a message reaches only some of the connected clients.
    var isAddressed: Bool
    /// True if a message is sent as a single line, so that its bytes can be varied.
    var isOneLine: Bool

    /// Finds the behaviours; nil if the dialect has none. Behaviours that use a single line are
    /// preferred.
    init?(_ dialect: BoundDialect) {
        let room = Self(dialect, sends: "say", hears: "heard")
        let direct = Self(dialect, sends: "relay", hears: "arrival")
        let both = [room, direct].compactMap(\.self)
        guard let best = both.first(where: \.isOneLine) ?? both.first else { return nil }
        self = best
    }

    private init?(_ dialect: BoundDialect, sends: String, hears: String) {
        guard let send = dialect[sends], dialect[hears] != nil, send.uses(variable: "text")
        else { return nil }
        self.sends = sends
        self.hears = hears
        isRoom = sends == "say"
        isAddressed =
            isRoom
            ? send.uses(variable: "room") && dialect["enter"] != nil : send.uses(variable: "to")
        isOneLine = send.sends.count == 1
    }
}
