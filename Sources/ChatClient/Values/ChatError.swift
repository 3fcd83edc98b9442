public import ChatModel

/// The reason a client's request failed.
public enum ChatError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The server refused the command.
    case refused(ChatRefusal)
    /// The client is not logged in.
    case notLoggedIn
    /// The client is already logged in, or a login is in progress.
    case alreadyLoggedIn
    /// There is no connection: connecting failed, or the connection was lost and the client is
    /// waiting to reconnect.
    case notConnected(reason: String)
    /// The connection was lost before the answer arrived, so the outcome of the command is unknown.
    case connectionLost(reason: String)
    /// The server accepted the command but did not send the expected answer.
    case notAnswered(command: String)
    /// The dialect cannot encode the command.
    case unsendable(CommandError)
    /// The line exceeds the dialect's limit.
    case tooLong(bytes: Int, bytesMax: Int)
    /// Too many requests are pending.
    case busy(requestsMax: Int)
    /// The waiting task was cancelled. If the command has been sent, it is not undone.
    case cancelled
    /// The client was closed.
    case closed

    /// A human-readable reason.
    public var description: String {
        switch self {
        case .refused(let refusal): refusal.description
        case .notLoggedIn: "not logged in"
        case .alreadyLoggedIn: "already logged in, or a login is in progress"
        case .notConnected(let reason): "not connected: \(reason)"
        case .connectionLost(let reason): "connection lost: \(reason)"
        case .notAnswered(let command): "the server did not answer \(command)"
        case .unsendable(let error): error.description
        case .tooLong(let bytes, let bytesMax):
            "the \(bytes)-byte line exceeds the limit of \(bytesMax) bytes"
        case .busy(let requestsMax): "too many pending requests (limit \(requestsMax))"
        case .cancelled: "cancelled"
        case .closed: "the client is closed"
        }
    }

    /// True if the nickname or an equivalent one is in use.
    public var isConflict: Bool {
        if case .refused(let refusal) = self { refusal.code == ChatRefusal.conflict } else { false }
    }
}
