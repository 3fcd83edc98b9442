import DialectModel
import LineProtocol

/// The dialect behaviours that the server supports.
struct GenericScript: Sendable {
    /// A behaviour that clients can invoke after login.
    enum Action: String, Sendable, CaseIterable {
        case relay, enter, say, leave
    }

    /// The exchanges of the login; empty if clients need not log in.
    let login: [BehaviourExchanges.Exchange]
    let probe: [BehaviourExchanges.Exchange]
    let keepalive: [BehaviourExchanges.Exchange]
    let logout: [BehaviourExchanges.Exchange]
    let actions: [(action: Action, exchange: BehaviourExchanges.Exchange)]
    let arrival: GenericMessage
    /// The message that delivers a room message to a client; nil if the dialect has no rooms.
    let roomMessage: GenericMessage?
    let refusal: GenericMessage?

    /// Collects the dialect's behaviours.
    ///
    /// - Throws: ``ServerError`` if a behaviour is missing or unsupported.
    init(_ dialect: Dialect) throws(ServerError) {
        let reader = BehaviourExchanges(BoundDialect(dialect))
        login = try reader.exchanges("login") ?? []
        probe = try reader.exchanges("probe") ?? []
        keepalive = try reader.exchanges("keepalive") ?? []
        logout = try reader.exchanges("logout") ?? []
        refusal = reader.refusal()
        let hasName = login.contains { $0.request?.placeholders.contains("name") == true }
        guard login.isEmpty || hasName else {
            throw Self.unserved("login", "none of its lines sends `{{name}}`", dialect)
        }
        var actions: [(action: Action, exchange: BehaviourExchanges.Exchange)] = []
        for action in Action.allCases {
            guard let exchanges = try reader.exchanges(action.rawValue) else { continue }
            guard exchanges.count == 1, exchanges[0].request != nil else {
                throw Self.unserved(
                    action.rawValue, "it must consist of exactly one request", dialect)
            }
            actions.append((action, exchanges[0]))
        }
        guard actions.contains(where: { $0.action == .relay }) else {
            throw Self.missing("relay", dialect)
        }
        self.actions = actions
        guard let arrival = try reader.exchanges("arrival")?.first?.replies.last else {
            throw Self.missing("arrival", dialect)
        }
        self.arrival = arrival
        roomMessage = try reader.exchanges("heard")?.first?.replies.last
        if actions.contains(where: { $0.action == .say }), roomMessage == nil {
            throw Self.missing("heard", dialect)
        }
    }

    private static func missing(_ name: String, _ dialect: Dialect) -> ServerError {
        ServerError(
            .missingBehaviour(name),
            "the reference server is a chat server and needs the `\(name)` behaviour, which the "
                + "\"\(dialect.name)\" dialect does not have; add it, or test another server with "
                + "`--server` or `--exec`")
    }

    private static func unserved(
        _ name: String, _ reason: String, _ dialect: Dialect
    ) -> ServerError {
        ServerError(
            .missingBehaviour(name),
            "the reference server cannot serve the `\(name)` behaviour of the "
                + "\"\(dialect.name)\" dialect: \(reason)")
    }
}

extension GenericMessage {
    var placeholders: Set<String> {
        var names: Set<String> = []
        for case .some(let text) in arguments {
            for case .variable(let name) in text.pieces { names.insert(name) }
        }
        return names
    }
}
