/// What kind of conversation a session is: everything by which sessions behave differently stands here, as
/// data, so that a new kind is a new value.
public struct Scene: Sendable, Hashable {
    /// The scene's word, which errors name.
    public var name: String
    /// What its messages can be made of.
    public var carries: Set<ContentType>
    /// How many members it has at most.
    public var membersMax: Int
    /// Whether the same members always meet in the same session.
    public var isOnePerMembers: Bool
    /// How many messages are kept.
    public var messagesMax: Int
    /// How large one message is at most.
    public var contentBytesMax: Int
    /// For how long a message is shown, in nanoseconds; nil: until others take its place.
    public var messageLifetime: Int64?
    /// Whether the session ends when the last member leaves.
    public var endsWhenEmpty: Bool
    /// After how long without a message the session ends, in nanoseconds; nil: never.
    public var endsAfterIdle: Int64?

    /// How many members a scene has where nothing else is said.
    public static let membersMaxByDefault = 512
    /// How many messages are kept where nothing else is said.
    public static let messagesMaxByDefault = 512
    /// How large a message is where nothing else is said.
    public static let contentBytesMaxByDefault = 4 << 20

    /// A scene of that name; it carries everything and ends when it is told to.
    public init(
        _ name: String, carries: Set<ContentType> = Set(ContentType.allCases),
        membersMax: Int = membersMaxByDefault, isOnePerMembers: Bool = false,
        messagesMax: Int = messagesMaxByDefault, contentBytesMax: Int = contentBytesMaxByDefault,
        messageLifetime: Int64? = nil, endsWhenEmpty: Bool = false, endsAfterIdle: Int64? = nil
    ) {
        self.name = name
        self.carries = carries
        self.membersMax = membersMax
        self.isOnePerMembers = isOnePerMembers
        self.messagesMax = messagesMax
        self.contentBytesMax = contentBytesMax
        self.messageLifetime = messageLifetime
        self.endsWhenEmpty = endsWhenEmpty
        self.endsAfterIdle = endsAfterIdle
    }

    /// Two who talk with each other, always in the same session.
    public static let `private` = Scene("private", membersMax: 2, isOnePerMembers: true)
    /// Many who come and go.
    public static let group = Scene("group")
    /// A conversation for an occasion: it ends with its last member, or after ten quiet minutes.
    public static let temporary = Scene(
        "temporary", endsWhenEmpty: true, endsAfterIdle: 600 * 1_000_000_000)
    /// Words above a figure in a game: text only, short, for eight seconds.
    public static let bubble = Scene(
        "bubble", carries: [.text], messagesMax: 8, contentBytesMax: 256,
        messageLifetime: 8 * 1_000_000_000, endsWhenEmpty: true)

    /// The scenes that there are.
    public static let all: [Scene] = [.private, .group, .temporary, .bubble]

    /// The scene of that name; nil if there is none.
    public init?(named name: String) {
        guard let scene = Self.all.first(where: { $0.name == name }) else { return nil }
        self = scene
    }

    /// - Throws: ``SceneError``, naming scene and type, if the scene does not carry the content.
    public func check(_ content: MessageContent) throws(SceneError) {
        try check(content.type, byteCount: content.byteCount)
    }

    /// - Throws: ``SceneError``, naming scene and type, if the scene carries nothing of this type or size.
    public func check(_ type: ContentType, byteCount: Int) throws(SceneError) {
        guard carries.contains(type) else {
            throw SceneError(.contentNotCarried, scene: name, type: type) {
                "carries \(Self.words(carries)) only, not \(type.rawValue)"
            }
        }
        guard byteCount <= contentBytesMax else {
            throw SceneError(.contentTooLarge, scene: name, type: type) {
                "\(type.rawValue) of \(byteCount) bytes, "
                    + "at most \(contentBytesMax) are carried"
            }
        }
    }

    private static func words(_ types: Set<ContentType>) -> String {
        let words = ContentType.allCases.filter(types.contains).map(\.rawValue)
        return words.isEmpty ? "nothing" : words.joined(separator: ", ")
    }
}
