import ChatModel
package import LineProtocol

/// Which adapter speaks a dialect.
package enum AdapterKind: String, Sendable, Hashable, CaseIterable {
    case livechat, irc, msnp, nats, plain, teamspeak
    /// Made of the dialect's behaviours.
    case behaved

    /// The adapter of the dialect's name. One of another name is spoken like livechat if it has all of
    /// livechat's commands, else as its behaviours have it.
    package init(_ dialect: Dialect) {
        if let kind = AdapterKind(rawValue: dialect.name), kind != .behaved {
            self = kind
        } else {
            self = Self.isLikeLivechat(dialect) ? .livechat : .behaved
        }
    }

    private static func isLikeLivechat(_ dialect: Dialect) -> Bool {
        ChatVerb.ofLivechat.allSatisfy {
            dialect.commands.command(named: $0.rawValue, .fromClient) != nil
        }
    }

    /// How the service behaves where the dialect is spoken.
    package func rules(_ dialect: Dialect) -> ChatRules {
        switch self {
        case .livechat: LivechatAdapter.rules(dialect)
        case .irc: IRCAdapter.rules(dialect)
        case .msnp: MSNPAdapter.rules(dialect)
        case .nats: NATSAdapter.rules(dialect)
        case .plain: PlainAdapter.rules(dialect)
        case .teamspeak: TeamSpeakAdapter.rules(dialect)
        case .behaved: GenericAdapter.rules(dialect)
        }
    }

    /// - Throws: ``ServerError`` if the dialect lacks what the adapter needs.
    package func adapter(
        _ dialect: Dialect, _ rules: ChatRules, faults: FaultInjector
    ) throws(ServerError) -> any ProtocolAdapter {
        switch self {
        case .livechat:
            try LivechatAdapter(dialect, nicknameBytesMax: rules.names.bytesMax)
        case .irc: try IRCAdapter(dialect, rules, faults: faults)
        case .msnp: try MSNPAdapter(dialect)
        case .nats: try NATSAdapter(dialect, faults: faults)
        case .plain: try PlainAdapter(dialect, faults: faults)
        case .teamspeak: try TeamSpeakAdapter(dialect, faults: faults)
        case .behaved: try GenericAdapter(dialect)
        }
    }
}
