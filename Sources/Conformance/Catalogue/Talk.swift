import DialectModel

/// How a text gets from one operator to another, as the dialect's behaviours say it.
struct Talk: Sendable, Hashable {
    /// The behaviour that sends it: `say`, or `relay`.
    var sends: String
    /// The behaviour by which it is heard: `heard`, or `arrival`.
    var hears: String
    /// Whether it is said in a room that one enters.
    var isRoom: Bool
    /// Whether it reaches some only, not all who are connected.
    var isAddressed: Bool
    /// Whether one line carries it, so that its bytes can be changed.
    var isOneLine: Bool

    /// Nil where the dialect says nothing about it. What one line carries is preferred.
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
