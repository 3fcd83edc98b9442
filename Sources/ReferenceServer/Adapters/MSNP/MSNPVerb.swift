/// The commands that the server implements, named as in the dialect.
enum MSNPVerb: String, CaseIterable {
    case version, clientVersion, user, ping, out, status, synchronise, privacy, prompt
    case personalMessage, call, answer, send

    /// True if the command is allowed before login.
    var isEarly: Bool {
        switch self {
        case .version, .clientVersion, .user, .ping: true
        default: false
        }
    }
}

/// An error that the server reports. The raw value is the MSNP error code.
enum MSNPFailure: Int {
    case invalidParameter = 201
    case alreadyLoggedIn = 207
    case alreadyThere = 215
    case notOnline = 217
    case notLoggedIn = 302
    case commandDisabled = 502
    case serverIsBusy = 600
    case tooManySessions = 800
    case authenticationFailed = 911

    init(_ cause: Refusal.Cause) {
        self =
            switch cause {
            case .alreadyLoggedIn: .alreadyLoggedIn
            case .noSuchName: .notOnline
            case .inRoomAlready: .alreadyThere
            case .notLoggedIn: .notLoggedIn
            case .badPassword, .badName, .nameInUse: .authenticationFailed
            case .tooMany, .tooManyRooms: .tooManySessions
            case .tooFast: .serverIsBusy
            default: .invalidParameter
            }
    }
}
