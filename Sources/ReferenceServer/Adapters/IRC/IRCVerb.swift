/// The commands of a client that are carried out, by their message names in the dialect.
enum IRCVerb: String, CaseIterable {
    case cap, authenticate, pass, nick, user, oper, ping, pong, quit
    case join, part, topic, names, list, invite, kick, mode
    case privmsg, notice, away
    case who, whois, whowas, userhost, ison
    case motd, lusers, version, stats, links, time, admin, info, help
    case kill, rehash, restart, die, wallops, squit, connect

    /// Those without which there is no chat. The others are unknown where a dialect does not have them.
    static let needed: [IRCVerb] = [.nick, .user, .ping, .quit, .join, .part, .privmsg]

    /// Whether it is carried out before the login.
    var isEarly: Bool {
        switch self {
        case .cap, .authenticate, .pass, .nick, .user, .pong, .quit: true
        default: false
        }
    }
}

extension IRCAdapter {
    /// The server's commands without which there is no chat.
    static let neededReplies = [
        "welcome", "ponged", "error", "joined", "parted", "hasQuit", "privmsg", "notice",
        "nickChanged", "nicknameInUse", "erroneousNickname", "notRegistered", "unknownCommand",
        "needMoreParameters", "noSuchNick", "noSuchChannel", "namesReply", "endOfNames",
    ]
}
