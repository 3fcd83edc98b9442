/// A user's name and password for logging in.
public struct ChatAccount: Sendable, Hashable {
    /// The user's name, which is also the nickname in chats.
    public var name: String
    /// The password; empty if none is needed.
    public var password: String
    /// True if the user is a visitor asking for help rather than an operator.
    public var isVisitor: Bool

    /// Creates an account with a name and a password.
    public init(name: String, password: String, isVisitor: Bool = false) {
        self.name = name
        self.password = password
        self.isVisitor = isVisitor
    }

    /// Creates an account without a password.
    public init(nickname: String, isVisitor: Bool = false) {
        self.init(name: nickname, password: "", isVisitor: isVisitor)
    }
}

extension ChatAccount: CustomStringConvertible, CustomDebugStringConvertible {
    /// The name. The password is never shown.
    public var description: String { name }
    /// The name. The password is never shown.
    public var debugDescription: String { "ChatAccount(\(name))" }
}

/// A user's session on a server, as assigned by the server.
public struct ClientSession: Sendable, Hashable {
    /// The session id.
    public var identifier: Int
    /// The nickname shown to other users.
    public var nickname: String

    /// Creates a session from its parts.
    public init(identifier: Int, nickname: String) {
        self.identifier = identifier
        self.nickname = nickname
    }
}

/// A logged-in user.
public struct ChatPerson: Sendable, Hashable, Identifiable {
    /// The user's session id.
    public var id: Int
    /// The user's nickname.
    public var nickname: String
    /// True if the user is a visitor rather than an operator.
    public var isVisitor: Bool

    /// Creates a person from its parts.
    public init(id: Int, nickname: String, isVisitor: Bool) {
        self.id = id
        self.nickname = nickname
        self.isVisitor = isVisitor
    }
}
