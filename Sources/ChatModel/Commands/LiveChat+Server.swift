/// What servers say.
extension LiveChat {
    /// The session has begun.
    public struct LoggedIn: ChatCommand, Hashable {
        /// The session's identifier.
        public var identifier: Int
        /// The nickname it has.
        public var nickname: String

        /// A command of these arguments.
        public init(identifier: Int, nickname: String) {
            self.identifier = identifier
            self.nickname = nickname
        }
    }

    /// A command was not carried out.
    public struct Refused: ChatCommand, Hashable {
        /// Its name on the wire.
        public var command: String
        /// Why: 401 is not logged in, 409 a nickname in use; the dialect lists them.
        public var code: Int
        /// Why, for people.
        public var reason: String

        /// A command of these arguments.
        public init(command: String, code: Int, reason: String) {
            self.command = command
            self.code = code
            self.reason = reason
        }
    }

    /// Answers a ``Ping``.
    public struct Pong: ChatCommand, Hashable {
        /// The ping's token.
        public var token: String

        /// A command of these arguments.
        public init(token: String) {
            self.token = token
        }
    }

    /// One of those who are here.
    public struct Listed: ChatCommand, Hashable {
        /// Whose session it is.
        public var identifier: Int
        /// Who it is.
        public var nickname: String
        /// Whether it is a visitor.
        public var visitor: Bool

        /// A command of these arguments.
        public init(identifier: Int, nickname: String, visitor: Bool) {
            self.identifier = identifier
            self.nickname = nickname
            self.visitor = visitor
        }
    }

    /// The list is over.
    public struct WhoEnd: ChatCommand, Hashable {
        /// How many were in it.
        public var count: Int

        /// A command of these arguments.
        public init(count: Int) {
            self.count = count
        }
    }

    /// One message of a chat's history.
    public struct Record: ChatCommand, Hashable {
        /// The message's identifier, rising in each chat.
        public var identifier: Int
        /// When it was said.
        public var time: Timestamp
        /// What was said.
        public var text: String
        /// Who said it.
        public var sender: String
        /// The chat.
        public var conference: Int
        /// Whether only operators see it.
        public var hidden: Bool

        /// A command of these arguments.
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

    /// The history is over.
    public struct HistoryEnd: ChatCommand, Hashable {
        /// The chat.
        public var conference: Int
        /// How many records were in it.
        public var count: Int

        /// A command of these arguments.
        public init(conference: Int, count: Int) {
            self.conference = conference
            self.count = count
        }
    }

    /// The session is over; the server closes after it.
    public struct LoggedOut: ChatCommand, Hashable {
        /// Why, for people.
        public var reason: String

        /// A command of these arguments.
        public init(reason: String) {
            self.reason = reason
        }
    }

    /// Somebody said something in a chat.
    public struct DidReceive: ChatCommand, Hashable {
        /// The message's identifier, rising in each chat.
        public var identifier: Int
        /// What was said.
        public var text: String
        /// Who said it.
        public var sender: String
        /// The chat.
        public var conference: Int
        /// Whether only operators see it.
        public var hidden: Bool

        /// A command of these arguments.
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

    /// Somebody, perhaps oneself, has entered a chat.
    public struct Joined: ChatCommand, Hashable {
        /// The chat.
        public var conference: Int
        /// Who it is.
        public var nickname: String

        /// A command of these arguments.
        public init(conference: Int, nickname: String) {
            self.conference = conference
            self.nickname = nickname
        }
    }

    /// Somebody, perhaps oneself, has left a chat.
    public struct Left: ChatCommand, Hashable {
        /// The chat.
        public var conference: Int
        /// Who it is.
        public var nickname: String

        /// A command of these arguments.
        public init(conference: Int, nickname: String) {
            self.conference = conference
            self.nickname = nickname
        }
    }

    /// Somebody said something to us alone.
    public struct DidReceivePrivate: ChatCommand, Hashable {
        /// The message's identifier.
        public var identifier: Int
        /// What was said.
        public var text: String
        /// Who said it.
        public var sender: String

        /// A command of these arguments.
        public init(identifier: Int, text: String, sender: String) {
            self.identifier = identifier
            self.text = text
            self.sender = sender
        }
    }

    /// An operator has logged in.
    public struct OperatorLoggedIn: ChatCommand, Hashable {
        /// Whose session it is.
        public var identifier: Int
        /// Who it is.
        public var nickname: String

        /// A command of these arguments.
        public init(identifier: Int, nickname: String) {
            self.identifier = identifier
            self.nickname = nickname
        }
    }

    /// An operator is gone, however it went.
    public struct OperatorLoggedOut: ChatCommand, Hashable {
        /// Whose session it is.
        public var identifier: Int
        /// Who it is.
        public var nickname: String
        /// Why, for people.
        public var reason: String

        /// A command of these arguments.
        public init(identifier: Int, nickname: String, reason: String) {
            self.identifier = identifier
            self.nickname = nickname
            self.reason = reason
        }
    }

    /// A visitor has logged in.
    public struct VisitorArrived: ChatCommand, Hashable {
        /// Whose session it is.
        public var identifier: Int
        /// Who it is.
        public var nickname: String

        /// A command of these arguments.
        public init(identifier: Int, nickname: String) {
            self.identifier = identifier
            self.nickname = nickname
        }
    }

    /// A visitor is gone.
    public struct VisitorLeft: ChatCommand, Hashable {
        /// Whose session it is.
        public var identifier: Int
        /// Who it is.
        public var nickname: String
        /// Why, for people.
        public var reason: String

        /// A command of these arguments.
        public init(identifier: Int, nickname: String, reason: String) {
            self.identifier = identifier
            self.nickname = nickname
            self.reason = reason
        }
    }

    /// Somebody ran an add-on action in a chat.
    public struct ActionDone: ChatCommand, Hashable {
        /// The chat.
        public var conference: Int
        /// Who ran it.
        public var sender: String
        /// An XML text.
        public var action: String

        /// A command of these arguments.
        public init(conference: Int, sender: String, action: String) {
            self.conference = conference
            self.sender = sender
            self.action = action
        }
    }

    /// The server ends.
    public struct GoingDown: ChatCommand, Hashable {
        /// In so many seconds.
        public var seconds: Int
        /// Why, for people.
        public var reason: String

        /// A command of these arguments.
        public init(seconds: Int, reason: String) {
            self.seconds = seconds
            self.reason = reason
        }
    }
}
