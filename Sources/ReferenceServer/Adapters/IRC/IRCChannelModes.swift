import LineProtocol

/// Changes of a channel's modes, as the letters and parameters of a MODE command.
struct IRCChannelModes {
    private(set) var modes: [UInt8] = []
    private(set) var parameters: [ArgumentValue] = []

    static let flags: [(letter: UInt8, flag: RoomFlags)] = [
        (0x69, .inviteOnly), (0x6D, .moderated), (0x6E, .membersOnly), (0x73, .secret),
        (0x74, .topicLocked),
    ]

    init(_ changes: [RoomChange]) {
        var sign: UInt8 = 0
        func add(_ letter: UInt8, _ isSet: Bool) {
            let wanted: UInt8 = isSet ? 0x2B : 0x2D
            if sign != wanted { modes.append(wanted) }
            sign = wanted
            modes.append(letter)
        }
        for change in changes {
            switch change {
            case .flag(let flag, let isSet):
                add(Self.flags.first { $0.flag == flag }?.letter ?? 0x3F, isSet)
            case .rank(let rank, let nickname, let isSet):
                add(rank == .roomOperator ? 0x6F : 0x76, isSet)
                parameters.append(.text(nickname))
            case .key(let key):
                add(0x6B, !key.isEmpty)
                parameters.append(.text(key.isEmpty ? [0x2A] : key))
            case .mask(let list, let mask, let isSet):
                add(list.letter, isSet)
                parameters.append(.text(mask))
            case .limit(let count):
                add(0x6C, count > 0)
                if count > 0 { parameters.append(.text(String(count))) }
            }
        }
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
