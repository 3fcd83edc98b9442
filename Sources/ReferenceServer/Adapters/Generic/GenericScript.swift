import DialectModel
import LineProtocol

/// What a dialect's behaviours say that a server can serve.
struct GenericScript: Sendable {
    enum Act: String, Sendable, CaseIterable {
        case relay, enter, say, leave
    }

    /// Empty where one need not log in.
    let login: [BehaviourExchanges.Exchange]
    let probe: [BehaviourExchanges.Exchange]
    let keepalive: [BehaviourExchanges.Exchange]
    let logout: [BehaviourExchanges.Exchange]
    let acts: [(act: Act, exchange: BehaviourExchanges.Exchange)]
    let arrival: GenericMessage
    /// Nil where rooms are not spoken of.
    let heard: GenericMessage?
    let refusal: GenericMessage?

    /// - Throws: what behaviour is missing or cannot be served.
    init(_ dialect: Dialect) throws(ServerError) {
        let reader = BehaviourExchanges(BoundDialect(dialect))
        login = try reader.exchanges("login") ?? []
        probe = try reader.exchanges("probe") ?? []
        keepalive = try reader.exchanges("keepalive") ?? []
        logout = try reader.exchanges("logout") ?? []
        refusal = reader.refusal()
        let hasName = login.contains { $0.request?.placeholders.contains("name") == true }
        guard login.isEmpty || hasName else {
            throw Self.unserved("login", "no line of it sends the {{name}}", dialect)
        }
        var acts: [(act: Act, exchange: BehaviourExchanges.Exchange)] = []
        for act in Act.allCases {
            guard let exchanges = try reader.exchanges(act.rawValue) else { continue }
            guard exchanges.count == 1, exchanges[0].request != nil else {
                throw Self.unserved(act.rawValue, "it is more than one request", dialect)
            }
            acts.append((act, exchanges[0]))
        }
        guard acts.contains(where: { $0.act == .relay }) else {
            throw Self.missing("relay", dialect)
        }
        self.acts = acts
        guard let arrival = try reader.exchanges("arrival")?.first?.replies.last else {
            throw Self.missing("arrival", dialect)
        }
        self.arrival = arrival
        heard = try reader.exchanges("heard")?.first?.replies.last
        if acts.contains(where: { $0.act == .say }), heard == nil {
            throw Self.missing("heard", dialect)
        }
    }

    private static func missing(_ name: String, _ dialect: Dialect) -> ServerError {
        ServerError(
            .missingBehaviour(name),
            "the reference server needs the behaviour `\(name)`, which the dialect "
                + "\"\(dialect.name)\" does not have; add it, or speak a built-in dialect")
    }

    private static func unserved(
        _ name: String, _ reason: String, _ dialect: Dialect
    ) -> ServerError {
        ServerError(
            .missingBehaviour(name),
            "the reference server cannot serve the behaviour `\(name)` of the dialect "
                + "\"\(dialect.name)\": \(reason)")
    }
}

extension GenericMessage {
    /// The names of its placeholders.
    var placeholders: Set<String> {
        var names: Set<String> = []
        for case .some(let text) in arguments {
            for case .variable(let name) in text.pieces { names.insert(name) }
        }
        return names
    }
}
