/// The commands of the built-in dialect `livechat`, seen from the operator's side of a live-support
/// chat. They also work with any other dialect whose commands have the same names.
public enum LiveChat {}

/// Client commands.
extension LiveChat {
    /// Command that requests a session. Answered by ``LoggedIn`` or ``Refused``. Nicknames are
    /// unique, ignoring case.
    public struct Login: ChatCommand, Hashable {
        /// The requested nickname.
        public var nickname: String
        /// The password; empty if none is needed.
        public var password: String
        /// True if the user is a visitor rather than an operator.
        public var visitor: Bool

        /// Creates the command.
        public init(nickname: String, password: String = "", visitor: Bool = false) {
            self.nickname = nickname
            self.password = password
            self.visitor = visitor
        }
    }

    /// Command that ends the session. Answered by ``LoggedOut``.
    public struct Logout: ChatCommand, Hashable {
        /// Creates the command.
        public init() {}
    }

    /// Command that keeps the session alive. Answered by ``Pong`` with the same token.
    public struct Ping: ChatCommand, Hashable {
        /// Token to repeat in the answer.
        public var token: String

        /// Creates the command.
        public init(token: String = "") {
            self.token = token
        }
    }

    /// Command that sends a message to a chat that the user has joined. Answered only if the server
    /// refuses it.
    public struct SendMessage: ChatCommand, Hashable {
        /// The sender's own session id, or 0.
        public var from: Int
        /// The chat's number.
        public var chat: Int
        /// The message text.
        public var text: String

        /// Creates the command.
        public init(from: Int = 0, chat: Int, text: String) {
            self.from = from
            self.chat = chat
            self.text = text
        }
    }

    /// Command that joins a chat. Answered by ``Joined``.
    public struct Join: ChatCommand, Hashable {
        /// The chat's number.
        public var chat: Int

        /// Creates the command.
        public init(chat: Int) {
            self.chat = chat
        }
    }

    /// Command that leaves a chat. Answered by ``Left``.
    public struct Leave: ChatCommand, Hashable {
        /// The chat's number.
        public var chat: Int

        /// Creates the command.
        public init(chat: Int) {
            self.chat = chat
        }
    }

    /// Command that sends a private message. Answered only if the server refuses it.
    public struct SendPrivate: ChatCommand, Hashable {
        /// The recipient's nickname.
        public var to: String
        /// The message text.
        public var text: String

        /// Creates the command.
        public init(to: String, text: String) {
            self.to = to
            self.text = text
        }
    }

    /// Command that requests the users in a chat. Answered by one ``Listed`` per user and
    /// ``WhoEnd``.
    public struct Who: ChatCommand, Hashable {
        /// The chat's number; 0 for all users.
        public var chat: Int

        /// Creates the command.
        public init(chat: Int = 0) {
            self.chat = chat
        }
    }

    /// Command that requests the most recent messages of a chat. Answered by ``Record`` commands,
    /// newest first, and ``HistoryEnd``.
    public struct History: ChatCommand, Hashable {
        /// The chat's number.
        public var chat: Int
        /// Maximum number of messages to return.
        public var count: Int

        /// Creates the command.
        public init(chat: Int, count: Int = 512) {
            self.chat = chat
            self.count = count
        }
    }

    /// Command that runs an add-on action in a chat. The action's XML is relayed unchanged.
    public struct RunAction: ChatCommand, Hashable {
        /// The chat's number.
        public var chat: Int
        /// The action as XML.
        public var action: String

        /// Creates the command.
        public init(chat: Int, action: String) {
            self.chat = chat
            self.action = action
        }
    }

    /// Command that sends a chat message visible only to operators.
    public struct SendHidden: ChatCommand, Hashable {
        /// The sender's own session id, or 0.
        public var from: Int
        /// The chat's number.
        public var chat: Int
        /// The message text.
        public var text: String

        /// Creates the command.
        public init(from: Int = 0, chat: Int, text: String) {
            self.from = from
            self.chat = chat
            self.text = text
        }
    }
}
