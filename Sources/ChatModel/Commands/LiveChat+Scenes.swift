/// Chats of a scene, and messages that are no text.
extension LiveChat {
    /// Opens a chat of a scene with others, or finds it again. Answered by ``Opened``.
    public struct Open: ChatCommand, Hashable {
        /// The scene's word: `private`, `group`, `temporary`, `bubble`.
        public var scene: String
        /// The others' nicknames.
        public var members: [String]

        /// A command of these arguments.
        public init(scene: String, members: [String]) {
            self.scene = scene
            self.members = members
        }
    }

    /// Shows or hints something in a chat. No answer unless it is refused.
    public struct SendContent: ChatCommand, Hashable {
        /// The chat.
        public var chat: Int
        /// `image`, `voice` or `hint`.
        public var type: String
        /// Of an image or a voice: `image/png`, `audio/ogg`.
        public var format: String
        /// What is shown, or the hint's text.
        public var data: [UInt8]

        /// A command of these arguments.
        public init(chat: Int, type: String, format: String, data: [UInt8]) {
            self.chat = chat
            self.type = type
            self.format = format
            self.data = data
        }
    }

    /// Somebody, perhaps oneself, has opened a chat with us.
    public struct Opened: ChatCommand, Hashable {
        /// The chat, under the server's number.
        public var conference: Int
        /// The scene's word.
        public var scene: String
        /// The nicknames of those who are in it; first, who opened it.
        public var members: [String]

        /// A command of these arguments.
        public init(conference: Int, scene: String, members: [String]) {
            self.conference = conference
            self.scene = scene
            self.members = members
        }
    }

    /// A chat is over, for everybody who was in it.
    public struct Ended: ChatCommand, Hashable {
        /// The chat.
        public var conference: Int
        /// Why, for people.
        public var reason: String

        /// A command of these arguments.
        public init(conference: Int, reason: String) {
            self.conference = conference
            self.reason = reason
        }
    }

    /// Somebody showed or hinted something in a chat.
    public struct Content: ChatCommand, Hashable {
        /// The message's identifier, rising in each chat.
        public var identifier: Int
        /// `image`, `voice` or `hint`.
        public var type: String
        /// Of an image or a voice.
        public var format: String
        /// What is shown, or the hint's text.
        public var data: [UInt8]
        /// Who it was.
        public var sender: String
        /// The chat.
        public var conference: Int

        /// A command of these arguments.
        public init(
            identifier: Int, type: String, format: String, data: [UInt8], sender: String,
            conference: Int
        ) {
            self.identifier = identifier
            self.type = type
            self.format = format
            self.data = data
            self.sender = sender
            self.conference = conference
        }
    }

    /// One image or voice message of a chat's history.
    public struct ContentRecord: ChatCommand, Hashable {
        /// The message's identifier, rising in each chat.
        public var identifier: Int
        /// When it was sent.
        public var time: Timestamp
        /// `image` or `voice`.
        public var type: String
        /// Its format.
        public var format: String
        /// What is shown.
        public var data: [UInt8]
        /// Who it was.
        public var sender: String
        /// The chat.
        public var conference: Int

        /// A command of these arguments.
        public init(
            identifier: Int, time: Timestamp, type: String, format: String, data: [UInt8],
            sender: String, conference: Int
        ) {
            self.identifier = identifier
            self.time = time
            self.type = type
            self.format = format
            self.data = data
            self.sender = sender
            self.conference = conference
        }
    }
}

extension MessageContent {
    /// What a command of these arguments carries; nil for a type that is none of ``ContentType``.
    public init?(type: String, format: String, data: [UInt8]) {
        switch ContentType(rawValue: type) {
        case .text: self = .text(String(decoding: data, as: UTF8.self))
        case .hint: self = .hint(String(decoding: data, as: UTF8.self))
        case .image: self = .image(data, mediaType: format)
        case .voice: self = .voice(data, mediaType: format)
        case nil: return nil
        }
    }

    /// Of an image or a voice, its format; else empty.
    public var mediaType: String {
        switch self {
        case .image(_, let mediaType), .voice(_, let mediaType): mediaType
        case .text, .hint: ""
        }
    }

    /// Its bytes.
    public var data: [UInt8] {
        switch self {
        case .text(let text), .hint(let text): Array(text.utf8)
        case .image(let bytes, _), .voice(let bytes, _): bytes
        }
    }
}
