import LineProtocol

extension IRCReplies {
    /// Answers with the numeric that corresponds to a refusal.
    func refuse(
        _ refusal: Refusal, about subject: [UInt8], _ id: ClientID,
        _ context: inout RequestContext
    ) {
        let (name, text) = Self.numeric(refusal.cause)
        let value = ArgumentValue.text(subject.isEmpty ? [0x2A] : subject)
        send(
            name, to: id, &context,
            [
                "nickname": value, "channel": value, "command": .list([value]),
                "text": .text(text),
            ])
    }

    private static func numeric(_ cause: Refusal.Cause) -> (name: String, text: String) {
        switch cause {
        case .notLoggedIn: ("notRegistered", "You have not registered")
        case .badName: ("erroneousNickname", "Erroneous nickname")
        case .badPassword: ("passwordMismatch", "Password incorrect")
        case .nameInUse: ("nicknameInUse", "Nickname is already in use")
        case .alreadyLoggedIn: ("alreadyRegistered", "You may not reregister")
        case .noSuchName: ("noSuchNick", "No such nick/channel")
        case .noSuchRoom: ("noSuchChannel", "No such channel")
        case .badRoomName: ("badChannelMask", "Bad channel mask")
        case .notInRoom: ("notOnChannel", "You're not on that channel")
        case .inRoomAlready: ("userOnChannel", "is already on channel")
        case .notAllowed, .notCarried: ("cannotSendToChannel", "Cannot send to channel")
        case .needsRoomOperator: ("channelOperatorNeeded", "You're not channel operator")
        case .roomIsFull: ("channelIsFull", "Cannot join channel (+l)")
        case .roomIsLocked: ("badChannelKey", "Cannot join channel (+k)")
        case .banned: ("bannedFromChannel", "Cannot join channel (+b)")
        case .needsInvitation: ("inviteOnlyChannel", "Cannot join channel (+i)")
        case .tooManyRooms: ("tooManyChannels", "You have joined too many channels")
        case .tooLong: ("inputTooLong", "Input line was too long")
        case .tooMany, .tooLate, .tooFast, .notUnderstood: ("unknownError", "Command not executed")
        }
    }
}
