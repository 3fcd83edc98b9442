/// The client commands that the server implements, named as in the dialect.
enum IRCVerb: String, CaseIterable {
    case cap, authenticate, pass, nick, user, oper, ping, pong, quit
    case join, part, topic, names, list, invite, kick, mode
    case privmsg, notice, tagmsg, away, setname, monitor, chathistory
    case who, whois, whowas, userhost, ison
    case motd, lusers, version, stats, links, time, admin, info, help
    case kill, rehash, restart, die, wallops, squit, connect

    /// Commands that a dialect must define. Any other command is optional, and is treated as
    /// unknown if the dialect does not define it.
    static let needed: [IRCVerb] = [.nick, .user, .ping, .quit, .join, .part, .privmsg]

    /// True if the command is allowed before login.
    var isEarly: Bool {
        switch self {
        case .cap, .authenticate, .pass, .nick, .user, .pong, .quit: true
        default: false
        }
    }
}

extension IRCReplies {
    /// Replies that a dialect must define.
    static let needed = [
        "welcome", "ponged", "error", "joined", "parted", "hasQuit", "privmsg", "notice",
        "nickChanged", "nicknameInUse", "erroneousNickname", "notRegistered", "unknownCommand",
        "needMoreParameters", "noSuchNick", "noSuchChannel", "namesReply", "endOfNames",
    ]
}
