import LineProtocol

extension IRCAdapter {
    /// Lists the bans or exceptions of a channel. Any client may see them.
    func showMasks(
        _ list: ChatRoom.MaskList, of room: ChatRoom, _ id: ClientID,
        _ context: inout RequestContext
    ) {
        let (entry, end, title) = Self.replies(list)
        let channel = ArgumentValue.text(room.name.bytes)
        for listed in room.masks(list) {
            reply(
                entry, id, &context,
                [
                    "channel": channel, "mask": .text(listed.mask),
                    "details": .list([
                        .text(listed.setter), .text(String(listed.time / 1_000_000_000)),
                    ]),
                ])
        }
        reply(
            end, id, &context, ["channel": channel, "text": .text("End of channel \(title) list")])
    }

    /// Returns the replies that list masks, and the name of the list.
    private static func replies(
        _ list: ChatRoom.MaskList
    ) -> (entry: String, end: String, title: String) {
        switch list {
        case .bans: ("banMask", "endOfBanMasks", "ban")
        case .banExceptions: ("exceptionMask", "endOfExceptionMasks", "exception")
        case .inviteExceptions: ("inviteMask", "endOfInviteMasks", "invite exception")
        }
    }

    /// Reports that a mask cannot be added because the list is full.
    func refuseMask(
        _ list: ChatRoom.MaskList, _ room: ChatRoom, _ id: ClientID, _ context: inout RequestContext
    ) {
        reply(
            "banListFull", id, &context,
            [
                "channel": .text(room.name.bytes), "mode": .text([list.letter]),
                "text": .text(list == .bans ? "Channel ban list is full" : "Channel list is full"),
            ])
    }
}

extension ChatRoom.MaskList {
    /// The letter of the channel mode that changes the list.
    var letter: UInt8 {
        switch self {
        case .bans: 0x62
        case .banExceptions: 0x65
        case .inviteExceptions: 0x49
        }
    }

    init?(letter: UInt8) {
        guard let list = Self.allCases.first(where: { $0.letter == letter }) else { return nil }
        self = list
    }
}
