/// A mode that users can set on themselves. The raw value is the mode letter.
enum IRCUserMode: UInt8, CaseIterable {
    /// The user is marked as a bot.
    case bot = 0x42
    case invisible = 0x69
}
