public import ChatModel

/// An event reported to a client's listeners.
public enum ChatEvent: Sendable, Hashable {
    // Events of other users.

    /// A message, in a chat or private.
    case message(ChatMessage)
    /// A chat of a scene was opened with the user, possibly by the user.
    case opened(chat: Int, scene: Scene, members: [String])
    /// A chat was closed for all members.
    case chatEnded(chat: Int, reason: String)
    /// A user joined a chat, possibly this user.
    case joined(chat: Int, nickname: String)
    /// A user left a chat, possibly this user.
    case left(chat: Int, nickname: String)
    /// An operator logged in or a visitor arrived.
    case arrived(ChatPerson)
    /// An operator logged out or a visitor left.
    case departed(ChatPerson, reason: String)
    /// An add-on action, as XML, was run in a chat.
    case action(chat: Int, sender: String, xml: String)

    // Events of the user's own session.

    /// The login succeeded, for the first time or after a reconnect.
    case loggedIn(ClientSession)
    /// All logged-in users, including this one. Sent after each login, unless
    /// ``ChatClientOptions/asksWhoIsHere`` is false.
    case present([ChatPerson])
    /// The connection was lost. The client reconnects after `retryAfter` nanoseconds.
    case connectionLost(reason: String, retryAfter: Int64)
    /// The session ended, by a logout or after the last reconnect attempt.
    case ended(reason: String)
    /// The server will shut down in `seconds` seconds.
    case goingDown(seconds: Int, reason: String)
    /// The server refused a command that no caller waits for.
    case refused(ChatRefusal)
}

/// A server's refusal of a command.
public struct ChatRefusal: Sendable, Hashable, CustomStringConvertible {
    /// The command's name on the wire.
    public var command: String
    /// The dialect's code for the reason.
    public var code: Int
    /// The human-readable reason.
    public var reason: String

    /// Creates a refusal from its parts.
    public init(command: String, code: Int, reason: String) {
        self.command = command
        self.code = code
        self.reason = reason
    }

    /// Code: the nickname is in use in any spelling, or the client is already logged in.
    public static let conflict = 409
    /// Code: the nickname or the password was not accepted.
    public static let badCredentials = 402
    /// Code: there is no such nickname, chat or scene.
    public static let notFound = 404
    /// Code: the chat's scene does not allow this content type.
    public static let notCarried = 415

    /// Human-readable text, such as `S0001 was refused (409): the nickname is in use`.
    public var description: String { "\(command) was refused (\(code)): \(reason)" }
}
