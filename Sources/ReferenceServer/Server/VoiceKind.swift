import ChatModel
package import LineProtocol

/// Which voice speaks a dialect.
package enum VoiceKind: String, Sendable, Hashable, CaseIterable {
    case livechat, irc, msnp, nats, plain, teamspeak
    /// Made of the dialect's behaviours.
    case behaved

    /// The voice of the dialect's name. One of another name is spoken like livechat if it has all of
    /// livechat's commands, else as its behaviours have it.
    package init(_ dialect: Dialect) {
        if let kind = VoiceKind(rawValue: dialect.name), kind != .behaved {
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

    /// How the hall behaves where the dialect is spoken.
    package func rules(_ dialect: Dialect) -> ChatRules {
        switch self {
        case .livechat: LivechatVoice.rules(dialect)
        case .irc: IRCVoice.rules(dialect)
        case .msnp: MSNPVoice.rules(dialect)
        case .nats: NATSVoice.rules(dialect)
        case .plain: PlainVoice.rules(dialect)
        case .teamspeak: TeamSpeakVoice.rules(dialect)
        case .behaved: BehavedVoice.rules(dialect)
        }
    }

    /// - Throws: ``ServerError`` if the dialect lacks what the voice needs.
    package func voice(
        _ dialect: Dialect, _ rules: ChatRules, faults: FaultInjector
    ) throws(ServerError) -> any Voice {
        switch self {
        case .livechat:
            try LivechatVoice(dialect, nicknameBytesMax: rules.names.bytesMax)
        case .irc: try IRCVoice(dialect, rules, faults: faults)
        case .msnp: try MSNPVoice(dialect)
        case .nats: try NATSVoice(dialect, faults: faults)
        case .plain: try PlainVoice(dialect, faults: faults)
        case .teamspeak: try TeamSpeakVoice(dialect, faults: faults)
        case .behaved: try BehavedVoice(dialect)
        }
    }
}
