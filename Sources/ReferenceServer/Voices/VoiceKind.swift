package import LineProtocol

/// Which voice speaks a dialect.
package enum VoiceKind: String, Sendable, Hashable, CaseIterable {
    case livechat, irc

    /// The voice of the dialect's name; a dialect of another name has to be made like livechat.
    package init(_ dialect: Dialect) {
        self = VoiceKind(rawValue: dialect.name) ?? .livechat
    }

    /// How the hall behaves where the dialect is spoken.
    package func rules(_ dialect: Dialect) -> ChatRules {
        switch self {
        case .livechat: LivechatVoice.rules(dialect)
        case .irc: IRCVoice.rules(dialect)
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
        }
    }
}
