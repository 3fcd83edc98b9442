public import ChatModel

/// Why something that a client was asked for did not happen.
public enum ChatError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The server did not carry it out.
    case refused(ChatRefusal)
    /// One has to log in first.
    case notLoggedIn
    /// One is logged in, or about to be.
    case alreadyLoggedIn
    /// There is no connection: it could not be made, or it was lost before, and the next attempt is to come.
    case notConnected(reason: String)
    /// The connection was lost before the answer came: nobody knows whether it was carried out.
    case connectionLost(reason: String)
    /// The server has taken the command, and its answer did not come.
    case notAnswered(command: String)
    /// The dialect has no line for it.
    case unsendable(CommandError)
    /// The line would be longer than the dialect allows.
    case tooLong(bytes: Int, bytesMax: Int)
    /// So many requests wait for their answers already.
    case busy(requestsMax: Int)
    /// The task that waited was cancelled. What was sent is not taken back.
    case cancelled
    /// The client has been closed.
    case closed

    /// The reason, for people.
    public var description: String {
        switch self {
        case .refused(let refusal): refusal.description
        case .notLoggedIn: "not logged in"
        case .alreadyLoggedIn: "logged in already, or about to be"
        case .notConnected(let reason): "not connected: \(reason)"
        case .connectionLost(let reason): "the connection was lost: \(reason)"
        case .notAnswered(let command): "the server did not answer \(command)"
        case .unsendable(let error): error.description
        case .tooLong(let bytes, let bytesMax):
            "the line has \(bytes) bytes, \(bytesMax) are allowed"
        case .busy(let requestsMax): "\(requestsMax) requests wait for their answers already"
        case .cancelled: "cancelled"
        case .closed: "the client has been closed"
        }
    }

    /// Whether the nickname is in use, in whatever case.
    public var isConflict: Bool {
        if case .refused(let refusal) = self { refusal.code == ChatRefusal.conflict } else { false }
    }
}
