/// The type of a message's content, which a scene can allow or forbid.
public enum ContentType: String, Sendable, Hashable, CaseIterable {
    case text
    case image
    case voice
    /// A transient hint, such as "Joe is typing": delivered but not kept.
    case hint

    /// True if messages of this type are kept in a session's log.
    public var isKept: Bool { self != .hint }
}

/// Content of a message: text, an image, a voice recording or a hint.
public enum MessageContent: Sendable, Hashable {
    case text(String)
    /// An image, with its media type, such as `image/png`.
    case image([UInt8], mediaType: String)
    /// A voice recording, with its media type, such as `audio/ogg`.
    case voice([UInt8], mediaType: String)
    case hint(String)

    /// The content type.
    public var type: ContentType {
        switch self {
        case .text: .text
        case .image: .image
        case .voice: .voice
        case .hint: .hint
        }
    }

    /// Size in bytes; for text, the size in UTF-8.
    public var byteCount: Int {
        switch self {
        case .text(let text), .hint(let text): text.utf8.count
        case .image(let bytes, _), .voice(let bytes, _): bytes.count
        }
    }
}

/// A message posted in a ``SceneSession``.
public struct SceneMessage: LoggedMessage, Hashable {
    /// The message's unique id, chosen by the sender.
    public var id: String
    /// Time of sending, in nanoseconds since 1970.
    public var time: Int64
    /// The sender's nickname.
    public var sender: String
    /// The content.
    public var content: MessageContent

    /// Creates a message from its parts; `time` is in nanoseconds since 1970.
    public init(id: String, time: Int64, sender: String, content: MessageContent) {
        self.id = id
        self.time = time
        self.sender = sender
        self.content = content
    }
}
