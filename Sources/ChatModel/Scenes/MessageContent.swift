/// What a message can be made of.
public enum ContentType: String, Sendable, Hashable, CaseIterable {
    case text
    case image
    case voice
    /// A weak hint, such as "Joe is typing": it is told and not kept.
    case hint

    /// Whether messages of this type are kept in a session's log.
    public var isKept: Bool { self != .hint }
}

/// What a message says.
public enum MessageContent: Sendable, Hashable {
    case text(String)
    /// An image in a file format such as `image/png`.
    case image([UInt8], mediaType: String)
    /// A recording in a file format such as `audio/ogg`.
    case voice([UInt8], mediaType: String)
    case hint(String)

    /// What it is made of.
    public var type: ContentType {
        switch self {
        case .text: .text
        case .image: .image
        case .voice: .voice
        case .hint: .hint
        }
    }

    /// How large it is.
    public var byteCount: Int {
        switch self {
        case .text(let text), .hint(let text): text.utf8.count
        case .image(let bytes, _), .voice(let bytes, _): bytes.count
        }
    }
}

/// A message of a session.
public struct SceneMessage: LoggedMessage, Hashable {
    /// What tells it from all others, given by who sent it.
    public var id: String
    /// When it was sent, in nanoseconds since 1970.
    public var time: Int64
    /// The sender's nickname.
    public var sender: String
    /// What it says.
    public var content: MessageContent

    /// A message from its parts.
    public init(id: String, time: Int64, sender: String, content: MessageContent) {
        self.id = id
        self.time = time
        self.sender = sender
        self.content = content
    }
}
