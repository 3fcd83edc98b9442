/// The commands that the server implements, named as in the dialect.
enum TeamSpeakVerb: String, CaseIterable {
    case login, logout, quit, use, version, whoAmI, hostInfo, help
    case serverNotifyRegister, serverNotifyUnregister
    case clientList, clientFind, clientUpdate, clientMove, channelList
    case sendTextMessage

    /// True if the command is allowed before a virtual server is selected.
    var isEarly: Bool {
        switch self {
        case .login, .logout, .quit, .use, .version, .hostInfo, .help: true
        default: false
        }
    }
}

/// A status that the server reports. The raw value is the ServerQuery error ID.
enum TeamSpeakStatus: Int64 {
    case ok = 0
    case commandNotFound = 256
    case invalidClient = 512
    case nicknameInUse = 513
    case wrongPassword = 520
    case flooding = 524
    case invalidChannel = 768
    case alreadyInChannel = 770
    case wrongChannelPassword = 781
    case invalidServer = 1_024
    case emptyResult = 1_281
    case invalidParameter = 1_538
    case parameterNotFound = 1_539
    case parameterSize = 1_541
    case insufficientPermissions = 2_568

    init(_ cause: Refusal.Cause) {
        self =
            switch cause {
            case .nameInUse: .nicknameInUse
            case .badName, .tooLong: .parameterSize
            case .badPassword: .wrongPassword
            case .noSuchName: .invalidClient
            case .noSuchRoom, .notInRoom, .badRoomName: .invalidChannel
            case .roomIsLocked: .wrongChannelPassword
            case .tooFast: .flooding
            case .notUnderstood: .invalidParameter
            case .notLoggedIn: .invalidServer
            default: .insufficientPermissions
            }
    }

    var message: String {
        switch self {
        case .ok: "ok"
        case .commandNotFound: "command not found"
        case .invalidClient: "invalid clientID"
        case .nicknameInUse: "nickname is already in use"
        case .wrongPassword: "invalid loginname or password"
        case .flooding: "client is flooding"
        case .invalidChannel: "invalid channelID"
        case .alreadyInChannel: "already member of channel"
        case .wrongChannelPassword: "invalid channel password"
        case .invalidServer: "invalid serverID"
        case .emptyResult: "database empty result set"
        case .invalidParameter: "invalid parameter"
        case .parameterNotFound: "parameter not found"
        case .parameterSize: "invalid parameter size"
        case .insufficientPermissions: "insufficient client permissions"
        }
    }
}
