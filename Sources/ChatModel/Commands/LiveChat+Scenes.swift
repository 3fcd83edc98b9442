/// Commands for scenes and for content other than text.
extension LiveChat {
    /// Command that opens a chat of the given scene with other members, or reuses the existing
    /// chat. Answered by ``Opened``.
    public struct Open: ChatCommand, Hashable {
        /// The scene's name: `private`, `group`, `temporary` or `bubble`.
        public var scene: String
        /// Nicknames of the other members.
        public var members: [String]

        /// Creates the command.
        public init(scene: String, members: [String]) {
            self.scene = scene
            self.members = members
        }
    }

    /// Command that sends an image, a voice message or a hint to a chat. Answered only if the
    /// server refuses it.
    public struct SendContent: ChatCommand, Hashable {
        /// The chat's number.
        public var chat: Int
        /// `image`, `voice` or `hint`.
        public var type: String
        /// Media type of an image or voice message, such as `image/png`.
        public var format: String
        /// The image or recording, or the text of a hint.
        public var data: [UInt8]

        /// Creates the command.
        public init(chat: Int, type: String, format: String, data: [UInt8]) {
            self.chat = chat
            self.type = type
            self.format = format
            self.data = data
        }
    }

    /// Notification that a chat was opened, possibly by the recipient.
    public struct Opened: ChatCommand, Hashable {
        /// The chat's number, assigned by the server.
        public var conference: Int
        /// The scene's name.
        public var scene: String
        /// Nicknames of the members, starting with the user who opened the chat.
        public var members: [String]

        /// Creates the command.
        public init(conference: Int, scene: String, members: [String]) {
            self.conference = conference
            self.scene = scene
            self.members = members
        }
    }

    /// Notification that a chat was closed for all members.
    public struct Ended: ChatCommand, Hashable {
        /// The chat's number.
        public var conference: Int
        /// A human-readable reason.
        public var reason: String

        /// Creates the command.
        public init(conference: Int, reason: String) {
            self.conference = conference
            self.reason = reason
        }
    }

    /// An image, a voice message or a hint sent to a chat.
    public struct Content: ChatCommand, Hashable {
        /// The message id, which increases within each chat.
        public var identifier: Int
        /// `image`, `voice` or `hint`.
        public var type: String
        /// Media type of an image or voice message.
        public var format: String
        /// The image or recording, or the text of a hint.
        public var data: [UInt8]
        /// The sender's nickname.
        public var sender: String
        /// The chat's number.
        public var conference: Int

        /// Creates the command.
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

    /// An image or voice message in a chat's history.
    public struct ContentRecord: ChatCommand, Hashable {
        /// The message id, which increases within each chat.
        public var identifier: Int
        /// Time of sending.
        public var time: Timestamp
        /// `image` or `voice`.
        public var type: String
        /// The media type.
        public var format: String
        /// The image or recording.
        public var data: [UInt8]
        /// The sender's nickname.
        public var sender: String
        /// The chat's number.
        public var conference: Int

        /// Creates the command.
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
    /// Creates content from a command's arguments; nil if `type` is not a ``ContentType``.
    public init?(type: String, format: String, data: [UInt8]) {
        switch ContentType(rawValue: type) {
        case .text: self = .text(String(decoding: data, as: UTF8.self))
        case .hint: self = .hint(String(decoding: data, as: UTF8.self))
        case .image: self = .image(data, mediaType: format)
        case .voice: self = .voice(data, mediaType: format)
        case nil: return nil
        }
    }

    /// Media type of an image or voice message; empty for other content.
    public var mediaType: String {
        switch self {
        case .image(_, let mediaType), .voice(_, let mediaType): mediaType
        case .text, .hint: ""
        }
    }

    /// The content as bytes.
    public var data: [UInt8] {
        switch self {
        case .text(let text), .hint(let text): Array(text.utf8)
        case .image(let bytes, _), .voice(let bytes, _): bytes
        }
    }
}
