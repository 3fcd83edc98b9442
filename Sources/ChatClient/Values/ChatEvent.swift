public import ChatModel

/// What a client tells its listeners.
public enum ChatEvent: Sendable, Hashable {
    // About others.

    /// Somebody said or showed something: in a chat, or to us alone.
    case message(ChatMessage)
    /// Somebody, perhaps oneself, has opened a chat of a scene with us.
    case opened(chat: Int, scene: Scene, members: [String])
    /// A chat is over, for everybody who was in it.
    case chatEnded(chat: Int, reason: String)
    /// Somebody, perhaps oneself, has entered a chat.
    case joined(chat: Int, nickname: String)
    /// Somebody, perhaps oneself, has left a chat.
    case left(chat: Int, nickname: String)
    /// An operator has logged in, or a visitor has come.
    case arrived(ChatPerson)
    /// An operator or a visitor is gone.
    case departed(ChatPerson, reason: String)
    /// Somebody ran an add-on action, which is an XML text, in a chat.
    case action(chat: Int, sender: String, xml: String)

    // About oneself.

    /// The session has begun, for the first time or again.
    case loggedIn(ClientSession)
    /// Who is here, oneself included: told after each login, unless the options say otherwise.
    case present([ChatPerson])
    /// The connection is lost; the next attempt comes after so many nanoseconds.
    case connectionLost(reason: String, retryAfter: Int64)
    /// The session is over, by a logout or for good: nothing is tried any more.
    case ended(reason: String)
    /// The server ends in so many seconds.
    case goingDown(seconds: Int, reason: String)
    /// The server refused something that nobody waits for.
    case refused(ChatRefusal)
}

/// Why a server did not carry a command out.
public struct ChatRefusal: Sendable, Hashable, CustomStringConvertible {
    /// The command as it is called on the wire.
    public var command: String
    /// The dialect's number for the kind of reason.
    public var code: Int
    /// The reason, for people.
    public var reason: String

    /// A refusal from its parts.
    public init(command: String, code: Int, reason: String) {
        self.command = command
        self.code = code
        self.reason = reason
    }

    /// The nickname is in use, in whatever case, or one is logged in already.
    public static let conflict = 409
    /// The nickname or the password is not taken.
    public static let badCredentials = 402
    /// There is no such nickname, chat or scene.
    public static let notFound = 404
    /// The chat's scene does not carry messages of that type.
    public static let notCarried = 415

    /// `S0001 was refused (409): the nickname is in use`.
    public var description: String { "\(command) was refused (\(code)): \(reason)" }
}
