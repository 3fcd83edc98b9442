/// Why something cannot be done in a session, in words that name its scene.
public struct SceneError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure it is.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// A stable word: `scene.content-not-carried`.
        public let id: String

        /// The scene does not carry messages of this type.
        public static let contentNotCarried = Code(id: "scene.content-not-carried")
        /// The message is larger than the scene carries.
        public static let contentTooLarge = Code(id: "scene.content-too-large")
        /// There are as many members as the scene has.
        public static let tooManyMembers = Code(id: "scene.too-many-members")
        /// A member's name is none that a member can have.
        public static let badMember = Code(id: "scene.bad-member")
        /// The sender is no member of the session.
        public static let notMember = Code(id: "scene.not-member")
        /// The session has ended.
        public static let ended = Code(id: "scene.ended")
        /// There are as many sessions as there may be.
        public static let tooManySessions = Code(id: "scene.too-many-sessions")

        /// The word.
        public var description: String { id }
    }

    /// What kind of failure it is.
    public let code: Code
    /// The scene's word.
    public let scene: String
    /// The type of the message, if one is the reason.
    public let type: ContentType?
    /// What was expected and what came, for people.
    public let message: String

    /// An error from its parts.
    public init(
        _ code: Code, scene: String, type: ContentType? = nil, _ message: () -> String
    ) {
        self.code = code
        self.scene = scene
        self.type = type
        self.message = message()
    }

    /// `bubble: carries text only, not voice`.
    public var description: String { "\(scene): \(message)" }
}
