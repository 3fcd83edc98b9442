/// Who logs in.
public struct ChatAccount: Sendable, Hashable {
    /// The user's name, which is the nickname in chats.
    public var name: String
    /// Empty where none is needed.
    public var password: String
    /// Whether it is a visitor, who asks for help, and not an operator.
    public var isVisitor: Bool

    /// A user by name and password.
    public init(name: String, password: String, isVisitor: Bool = false) {
        self.name = name
        self.password = password
        self.isVisitor = isVisitor
    }

    /// Somebody by a nickname alone.
    public init(nickname: String, isVisitor: Bool = false) {
        self.init(name: nickname, password: "", isVisitor: isVisitor)
    }
}

extension ChatAccount: CustomStringConvertible, CustomDebugStringConvertible {
    /// The name; never the password.
    public var description: String { name }
    /// The name; never the password.
    public var debugDescription: String { "ChatAccount(\(name))" }
}

/// A session that a server has given.
public struct ClientSession: Sendable, Hashable {
    /// The session's number.
    public var identifier: Int
    /// The nickname under which the others see it.
    public var nickname: String

    /// A session from its parts.
    public init(identifier: Int, nickname: String) {
        self.identifier = identifier
        self.nickname = nickname
    }
}

/// One who is here.
public struct ChatPerson: Sendable, Hashable, Identifiable {
    /// The number of the person's session.
    public var id: Int
    /// What the person is called.
    public var nickname: String
    /// Whether it is a visitor, not an operator.
    public var isVisitor: Bool

    /// A person from its parts.
    public init(id: Int, nickname: String, isVisitor: Bool) {
        self.id = id
        self.nickname = nickname
        self.isVisitor = isVisitor
    }
}
