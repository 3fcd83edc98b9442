/// The commands of the built-in dialect `livechat`, and of any dialect that has commands of these names: a live-support
/// operator's side of a chat.
public enum LiveChat {}

/// What clients say.
extension LiveChat {
    /// Asks for a session. Answered by ``LoggedIn`` or ``Refused``; nicknames are unique whatever their case.
    public struct Login: ChatCommand, Hashable {
        /// Who wants to log in.
        public var nickname: String
        /// Empty where none is needed.
        public var password: String
        /// Whether it is a visitor, not an operator.
        public var visitor: Bool

        /// A command of these arguments.
        public init(nickname: String, password: String = "", visitor: Bool = false) {
            self.nickname = nickname
            self.password = password
            self.visitor = visitor
        }
    }

    /// Ends the session. Answered by ``LoggedOut``.
    public struct Logout: ChatCommand, Hashable {
        /// The command, which has no arguments.
        public init() {}
    }

    /// Keeps the session alive. Answered by ``Pong`` with the same token.
    public struct Ping: ChatCommand, Hashable {
        /// What the answer repeats.
        public var token: String

        /// A command of these arguments.
        public init(token: String = "") {
            self.token = token
        }
    }

    /// Says something in a chat that one has joined. No answer unless it is refused.
    public struct SendMessage: ChatCommand, Hashable {
        /// One's own identifier, or 0.
        public var from: Int
        /// The chat.
        public var chat: Int
        /// What is said.
        public var text: String

        /// A command of these arguments.
        public init(from: Int = 0, chat: Int, text: String) {
            self.from = from
            self.chat = chat
            self.text = text
        }
    }

    /// Enters a chat. Answered by ``Joined``.
    public struct Join: ChatCommand, Hashable {
        /// The chat.
        public var chat: Int

        /// A command of these arguments.
        public init(chat: Int) {
            self.chat = chat
        }
    }

    /// Leaves a chat. Answered by ``Left``.
    public struct Leave: ChatCommand, Hashable {
        /// The chat.
        public var chat: Int

        /// A command of these arguments.
        public init(chat: Int) {
            self.chat = chat
        }
    }

    /// Says something to one other. No answer unless it is refused.
    public struct SendPrivate: ChatCommand, Hashable {
        /// The other's nickname.
        public var to: String
        /// What is said.
        public var text: String

        /// A command of these arguments.
        public init(to: String, text: String) {
            self.to = to
            self.text = text
        }
    }

    /// Asks who is here. Answered by a ``Listed`` for each and ``WhoEnd``.
    public struct Who: ChatCommand, Hashable {
        /// The chat; 0 is everywhere.
        public var chat: Int

        /// A command of these arguments.
        public init(chat: Int = 0) {
            self.chat = chat
        }
    }

    /// Asks for the last messages of a chat. Answered by ``Record``s, newest first, and ``HistoryEnd``.
    public struct History: ChatCommand, Hashable {
        /// The chat.
        public var chat: Int
        /// How many at most.
        public var count: Int

        /// A command of these arguments.
        public init(chat: Int, count: Int = 512) {
            self.chat = chat
            self.count = count
        }
    }

    /// Runs an add-on action in a chat; its XML is passed on as it is.
    public struct RunAction: ChatCommand, Hashable {
        /// The chat.
        public var chat: Int
        /// An XML text.
        public var action: String

        /// A command of these arguments.
        public init(chat: Int, action: String) {
            self.chat = chat
            self.action = action
        }
    }

    /// Says something in a chat that only operators see.
    public struct SendHidden: ChatCommand, Hashable {
        /// One's own identifier, or 0.
        public var from: Int
        /// The chat.
        public var chat: Int
        /// What is said.
        public var text: String

        /// A command of these arguments.
        public init(from: Int = 0, chat: Int, text: String) {
            self.from = from
            self.chat = chat
            self.text = text
        }
    }
}
