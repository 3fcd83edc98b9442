public import ChatModel

/// An event reported to a client's listeners.
public enum ChatEvent: Sendable, Hashable {
    // Events in chats and of other users.

    /// A message was received, in a chat or privately.
    case message(ChatMessage)
    /// A chat that the user is a member of was opened, possibly by the user.
    case opened(chat: Int, scene: Scene, members: [String])
    /// A chat was closed for all members.
    case chatEnded(chat: Int, reason: String)
    /// A user, possibly the client's own, joined a chat.
    case joined(chat: Int, nickname: String)
    /// A user, possibly the client's own, left a chat.
    case left(chat: Int, nickname: String)
    /// An operator logged in or a visitor arrived.
    case arrived(ChatPerson)
    /// An operator logged out or a visitor left.
    case departed(ChatPerson, reason: String)
    /// An add-on action, given as XML, was run in a chat.
    case action(chat: Int, sender: String, xml: String)

    // Events of the user's own session.

    /// The login succeeded, for the first time or after a reconnect.
    case loggedIn(ClientSession)
    /// All logged-in users, including the client's own. Reported after each login, unless
    /// ``ChatClientOptions/requestsUserList`` is false.
    case present([ChatPerson])
    /// The connection was lost. The client tries to reconnect after `retryAfter` nanoseconds.
    case connectionLost(reason: String, retryAfter: Int64)
    /// The session ended, either with a logout or because the last attempt to reconnect failed.
    case ended(reason: String)
    /// The server will shut down in `seconds` seconds.
    case goingDown(seconds: Int, reason: String)
    /// The server refused a command that no caller was waiting for.
    case refused(ChatRefusal)
}

/// A server's refusal of a command.
public struct ChatRefusal: Sendable, Hashable, CustomStringConvertible {
    /// The command's name on the wire.
    public var command: String
    /// Reason code, as defined by the dialect.
    public var code: Int
    /// The human-readable reason.
    public var reason: String

    /// Creates a refusal from its parts.
    public init(command: String, code: Int, reason: String) {
        self.command = command
        self.code = code
        self.reason = reason
    }

    /// Code for a nickname that is already taken, or a client that is already logged in.
    public static let conflict = 409
    /// Code for a nickname or password that the server does not accept.
    public static let badCredentials = 402
    /// Code for a nickname, chat or scene that does not exist.
    public static let notFound = 404
    /// Code for a content type that the chat's scene does not allow.
    public static let notCarried = 415

    /// A human-readable description, such as `S0001 was refused (409): the nickname is in use`.
    public var description: String { "\(command) was refused (\(code)): \(reason)" }
}
