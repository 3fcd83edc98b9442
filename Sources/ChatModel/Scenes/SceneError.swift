/// An error for an operation that a session or its scene does not allow.
public struct SceneError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Kind of scene error.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// Stable identifier, such as `scene.content-not-carried`.
        public let id: String

        /// The scene does not allow this content type.
        public static let contentNotCarried = Code(id: "scene.content-not-carried")
        /// The message exceeds the scene's size limit.
        public static let contentTooLarge = Code(id: "scene.content-too-large")
        /// The scene's member limit has been reached.
        public static let tooManyMembers = Code(id: "scene.too-many-members")
        /// The name is not a valid nickname.
        public static let badMember = Code(id: "scene.bad-member")
        /// The sender is not a member of the session.
        public static let notMember = Code(id: "scene.not-member")
        /// The session has ended.
        public static let ended = Code(id: "scene.ended")
        /// The maximum number of sessions has been reached.
        public static let tooManySessions = Code(id: "scene.too-many-sessions")

        /// The stable identifier.
        public var description: String { id }
    }

    /// The kind of failure.
    public let code: Code
    /// The scene's name.
    public let scene: String
    /// Content type of the message; nil if the failure does not concern a message.
    public let type: ContentType?
    /// A human-readable description of what was expected and what was found.
    public let message: String

    /// Creates an error from its parts.
    public init(
        _ code: Code, scene: String, type: ContentType? = nil, _ message: () -> String
    ) {
        self.code = code
        self.scene = scene
        self.type = type
        self.message = message()
    }

    /// The scene's name and the message, such as `bubble: voice is not allowed; allowed: text`.
    public var description: String { "\(scene): \(message)" }
}
