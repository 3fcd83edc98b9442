import ChatModel
package import LineProtocol

/// The kind of protocol adapter that serves a dialect.
package enum AdapterKind: String, Sendable, Hashable, CaseIterable {
    case livechat, irc, msnp, nats, plain, teamspeak
    /// An adapter built from the dialect's behaviours.
    case generic

    /// Chooses the adapter with the same name as the dialect. If there is none, chooses `livechat`
    /// if the dialect has all of livechat's commands, and otherwise `generic`.
    package init(_ dialect: Dialect) {
        if let kind = AdapterKind(rawValue: dialect.name), kind != .generic {
            self = kind
        } else {
            self = Self.isLikeLivechat(dialect) ? .livechat : .generic
        }
    }

    private static func isLikeLivechat(_ dialect: Dialect) -> Bool {
        ChatVerb.ofLivechat.allSatisfy {
            dialect.commands.command(named: $0.rawValue, .fromClient) != nil
        }
    }

    /// Returns the default rules of the chat service for `dialect`.
    package func rules(_ dialect: Dialect) -> ChatRules {
        switch self {
        case .livechat: LivechatAdapter.rules(dialect)
        case .irc: IRCAdapter.rules(dialect)
        case .msnp: MSNPAdapter.rules(dialect)
        case .nats: NATSAdapter.rules(dialect)
        case .plain: PlainAdapter.rules(dialect)
        case .teamspeak: TeamSpeakAdapter.rules(dialect)
        case .generic: GenericAdapter.rules(dialect)
        }
    }

    /// Creates the adapter.
    ///
    /// - Throws: ``ServerError`` if the dialect lacks a command or behaviour that the adapter
    ///   needs.
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
        case .generic: try GenericAdapter(dialect)
        }
    }
}
