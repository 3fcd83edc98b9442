import LineProtocol

extension IRCAdapter {
    /// Lists the bans of a channel. Any client may see them.
    func showBans(of room: ChatRoom, _ id: ClientID, _ context: inout RequestContext) {
        let channel = ArgumentValue.text(room.name.bytes)
        for ban in room.bans {
            reply(
                "banMask", id, &context,
                [
                    "channel": channel, "mask": .text(ban.mask),
                    "details": .list([
                        .text(ban.setter), .text(String(ban.time / 1_000_000_000)),
                    ]),
                ])
        }
        reply(
            "endOfBanMasks", id, &context,
            ["channel": channel, "text": .text("End of channel ban list")])
    }

    /// Reports that a ban cannot be added because the list is full.
    func refuseBan(_ room: ChatRoom, _ id: ClientID, _ context: inout RequestContext) {
        reply(
            "banListFull", id, &context,
            [
                "channel": .text(room.name.bytes), "mode": .text("b"),
                "text": .text("Channel ban list is full"),
            ])
    }
}
