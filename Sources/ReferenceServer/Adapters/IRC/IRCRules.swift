import ChatModel
import LineProtocol

/// The names and limits of the IRC server.
struct IRCRules {
    static let serverName = Array("irc.linejudge.test".utf8)
    static let networkName = "Linejudge"
    static let version = "linejudge-1"
    static let nicknameBytesMax = 30
    static let channelBytesMax = 50
    static let userNameBytesMax = 18
    static let realNameBytesMax = 128
    /// Maximum length of a topic, or of a reason in PART, QUIT, KICK or AWAY.
    static let reasonBytesMax = 300
    /// Maximum number of recipients of one message.
    static let targetsMax = 4

    let names: NameRules

    /// Returns the room for a channel name; nil if the name is invalid.
    func channel(_ channel: [UInt8]) -> RoomName? {
        guard let first = channel.first, first == 0x23 || first == 0x26,
            (2...IRCRules.channelBytesMax).contains(channel.count),
            !channel.contains(where: { $0 <= 0x20 || $0 == 0x2C })
        else { return nil }
        return RoomName(channel, names)
    }

    /// Returns whether a target is a channel rather than a nickname.
    func isChannel(_ target: [UInt8]) -> Bool { target.first == 0x23 || target.first == 0x26 }
}
