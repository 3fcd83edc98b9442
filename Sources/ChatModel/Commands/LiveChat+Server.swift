/// Server commands.
extension LiveChat {
    /// Confirmation that the login succeeded.
    public struct LoggedIn: ChatCommand, Hashable {
        /// The session id.
        public var identifier: Int
        /// The session's nickname.
        public var nickname: String

        /// Creates the command.
        public init(identifier: Int, nickname: String) {
            self.identifier = identifier
            self.nickname = nickname
        }
    }

    /// Refusal of a command.
    public struct Refused: ChatCommand, Hashable {
        /// The command's name on the wire.
        public var command: String
        /// The reason code, as listed in the dialect: for example 401 for not logged in, 409 for a
        /// nickname in use.
        public var code: Int
        /// A human-readable reason.
        public var reason: String

        /// Creates the command.
        public init(command: String, code: Int, reason: String) {
            self.command = command
            self.code = code
            self.reason = reason
        }
    }

    /// The answer to a ``Ping``.
    public struct Pong: ChatCommand, Hashable {
        /// The ping's token.
        public var token: String

        /// Creates the command.
        public init(token: String) {
            self.token = token
        }
    }

    /// One user in a list requested with ``Who``.
    public struct Listed: ChatCommand, Hashable {
        /// The user's session id.
        public var identifier: Int
        /// The user's nickname.
        public var nickname: String
        /// True if the user is a visitor.
        public var visitor: Bool

        /// Creates the command.
        public init(identifier: Int, nickname: String, visitor: Bool) {
            self.identifier = identifier
            self.nickname = nickname
            self.visitor = visitor
        }
    }

    /// End marker of a user list.
    public struct WhoEnd: ChatCommand, Hashable {
        /// Number of users listed.
        public var count: Int

        /// Creates the command.
        public init(count: Int) {
            self.count = count
        }
    }

    /// A text message in a chat's history.
    public struct Record: ChatCommand, Hashable {
        /// The message id, which increases within each chat.
        public var identifier: Int
        /// Time of sending.
        public var time: Timestamp
        /// The message text.
        public var text: String
        /// The sender's nickname.
        public var sender: String
        /// The chat's number.
        public var conference: Int
        /// True if only operators can see the message.
        public var hidden: Bool

        /// Creates the command.
        public init(
            identifier: Int, time: Timestamp, text: String, sender: String, conference: Int,
            hidden: Bool
        ) {
            self.identifier = identifier
            self.time = time
            self.text = text
            self.sender = sender
            self.conference = conference
            self.hidden = hidden
        }
    }

    /// End marker of a chat's history, sent after the last record.
    public struct HistoryEnd: ChatCommand, Hashable {
        /// The chat's number.
        public var conference: Int
        /// Number of records sent.
        public var count: Int

        /// Creates the command.
        public init(conference: Int, count: Int) {
            self.conference = conference
            self.count = count
        }
    }

    /// Notification that the session has ended. The server then closes the connection.
    public struct LoggedOut: ChatCommand, Hashable {
        /// A human-readable reason.
        public var reason: String

        /// Creates the command.
        public init(reason: String) {
            self.reason = reason
        }
    }

    /// A text message sent to a chat.
    public struct DidReceive: ChatCommand, Hashable {
        /// The message id, which increases within each chat.
        public var identifier: Int
        /// The message text.
        public var text: String
        /// The sender's nickname.
        public var sender: String
        /// The chat's number.
        public var conference: Int
        /// True if only operators can see the message.
        public var hidden: Bool

        /// Creates the command.
        public init(
            identifier: Int, text: String, sender: String, conference: Int, hidden: Bool = false
        ) {
            self.identifier = identifier
            self.text = text
            self.sender = sender
            self.conference = conference
            self.hidden = hidden
        }
    }

    /// Notification that a user, possibly the recipient, joined a chat.
    public struct Joined: ChatCommand, Hashable {
        /// The chat's number.
        public var conference: Int
        /// The user's nickname.
        public var nickname: String

        /// Creates the command.
        public init(conference: Int, nickname: String) {
            self.conference = conference
            self.nickname = nickname
        }
    }

    /// Notification that a user, possibly the recipient, left a chat.
    public struct Left: ChatCommand, Hashable {
        /// The chat's number.
        public var conference: Int
        /// The user's nickname.
        public var nickname: String

        /// Creates the command.
        public init(conference: Int, nickname: String) {
            self.conference = conference
            self.nickname = nickname
        }
    }

    /// A private message to the recipient.
    public struct DidReceivePrivate: ChatCommand, Hashable {
        /// The message id.
        public var identifier: Int
        /// The message text.
        public var text: String
        /// The sender's nickname.
        public var sender: String

        /// Creates the command.
        public init(identifier: Int, text: String, sender: String) {
            self.identifier = identifier
            self.text = text
            self.sender = sender
        }
    }

    /// Notification that an operator logged in.
    public struct OperatorLoggedIn: ChatCommand, Hashable {
        /// The user's session id.
        public var identifier: Int
        /// The user's nickname.
        public var nickname: String

        /// Creates the command.
        public init(identifier: Int, nickname: String) {
            self.identifier = identifier
            self.nickname = nickname
        }
    }

    /// Notification that an operator logged out or was disconnected.
    public struct OperatorLoggedOut: ChatCommand, Hashable {
        /// The user's session id.
        public var identifier: Int
        /// The user's nickname.
        public var nickname: String
        /// A human-readable reason.
        public var reason: String

        /// Creates the command.
        public init(identifier: Int, nickname: String, reason: String) {
            self.identifier = identifier
            self.nickname = nickname
            self.reason = reason
        }
    }

    /// Notification that a visitor logged in.
    public struct VisitorArrived: ChatCommand, Hashable {
        /// The user's session id.
        public var identifier: Int
        /// The user's nickname.
        public var nickname: String

        /// Creates the command.
        public init(identifier: Int, nickname: String) {
            self.identifier = identifier
            self.nickname = nickname
        }
    }

    /// Notification that a visitor left.
    public struct VisitorLeft: ChatCommand, Hashable {
        /// The user's session id.
        public var identifier: Int
        /// The user's nickname.
        public var nickname: String
        /// A human-readable reason.
        public var reason: String

        /// Creates the command.
        public init(identifier: Int, nickname: String, reason: String) {
            self.identifier = identifier
            self.nickname = nickname
            self.reason = reason
        }
    }

    /// Notification that an add-on action was run in a chat.
    public struct ActionDone: ChatCommand, Hashable {
        /// The chat's number.
        public var conference: Int
        /// The sender's nickname.
        public var sender: String
        /// The action as XML.
        public var action: String

        /// Creates the command.
        public init(conference: Int, sender: String, action: String) {
            self.conference = conference
            self.sender = sender
            self.action = action
        }
    }

    /// Announcement that the server is shutting down.
    public struct GoingDown: ChatCommand, Hashable {
        /// Seconds until the shutdown.
        public var seconds: Int
        /// A human-readable reason.
        public var reason: String

        /// Creates the command.
        public init(seconds: Int, reason: String) {
            self.seconds = seconds
            self.reason = reason
        }
    }
}
