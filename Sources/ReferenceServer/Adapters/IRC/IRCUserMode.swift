/// The modes that users can set on themselves, with their letters.
enum IRCUserMode: UInt8, CaseIterable {
    /// The user has declared itself a bot.
    case bot = 0x42
    case invisible = 0x69
}
