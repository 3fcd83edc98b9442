/// A type of conversation, such as a group chat. Scenes differ only in their property values, so a
/// new type of conversation is simply a new value.
public struct Scene: Sendable, Hashable {
    /// The scene's name, as used in errors and on the wire.
    public var name: String
    /// The allowed content types.
    public var allowedContent: Set<ContentType>
    /// Maximum number of members.
    public var membersMax: Int
    /// True if the same set of members always shares a single session.
    public var isOnePerMembers: Bool
    /// Maximum number of messages kept.
    public var messagesMax: Int
    /// Maximum size of a message in bytes.
    public var contentBytesMax: Int
    /// Display time of a message, in nanoseconds; nil if it stays until newer messages displace it.
    public var messageLifetime: Int64?
    /// True if the session ends when its last member leaves.
    public var endsWhenEmpty: Bool
    /// Maximum time without messages before the session ends, in nanoseconds; nil for no limit.
    public var endsAfterIdle: Int64?

    /// Default maximum number of members.
    public static let membersMaxByDefault = 512
    /// Default maximum number of messages kept.
    public static let messagesMaxByDefault = 512
    /// Default maximum message size, in bytes.
    public static let contentBytesMaxByDefault = 4 << 20

    /// Creates a scene. By default, it allows all content types, and its sessions never end on
    /// their own.
    ///
    /// - Parameters:
    ///   - name: the scene's name.
    ///   - allowedContent: the allowed content types.
    ///   - membersMax: maximum number of members.
    ///   - isOnePerMembers: whether the same set of members always shares a single session.
    ///   - messagesMax: maximum number of messages kept.
    ///   - contentBytesMax: maximum size of a message in bytes.
    ///   - messageLifetime: how long a message is shown, in nanoseconds; nil to show it until newer
    ///     messages displace it.
    ///   - endsWhenEmpty: whether the session ends when its last member leaves.
    ///   - endsAfterIdle: maximum time without messages before the session ends, in nanoseconds;
    ///     nil for no limit.
    public init(
        _ name: String, allowedContent: Set<ContentType> = Set(ContentType.allCases),
        membersMax: Int = membersMaxByDefault, isOnePerMembers: Bool = false,
        messagesMax: Int = messagesMaxByDefault, contentBytesMax: Int = contentBytesMaxByDefault,
        messageLifetime: Int64? = nil, endsWhenEmpty: Bool = false, endsAfterIdle: Int64? = nil
    ) {
        self.name = name
        self.allowedContent = allowedContent
        self.membersMax = membersMax
        self.isOnePerMembers = isOnePerMembers
        self.messagesMax = messagesMax
        self.contentBytesMax = contentBytesMax
        self.messageLifetime = messageLifetime
        self.endsWhenEmpty = endsWhenEmpty
        self.endsAfterIdle = endsAfterIdle
    }

    /// A conversation between two members. The same two members always share one session.
    public static let `private` = Scene("private", membersMax: 2, isOnePerMembers: true)
    /// A group chat that members join and leave.
    public static let group = Scene("group")
    /// A conversation for a single occasion. It ends when the last member leaves or after ten
    /// minutes without messages.
    public static let temporary = Scene(
        "temporary", endsWhenEmpty: true, endsAfterIdle: 600 * 1_000_000_000)
    /// Speech bubbles above a game character: short messages that are shown for eight seconds.
    public static let bubble = Scene(
        "bubble", allowedContent: [.text], messagesMax: 8, contentBytesMax: 256,
        messageLifetime: 8 * 1_000_000_000, endsWhenEmpty: true)

    /// All predefined scenes.
    public static let all: [Scene] = [.private, .group, .temporary, .bubble]

    /// Returns the predefined scene with this name; nil if there is none.
    public init?(named name: String) {
        guard let scene = Self.all.first(where: { $0.name == name }) else { return nil }
        self = scene
    }

    /// Checks that the scene allows the content.
    ///
    /// - Throws: ``SceneError`` if the scene does not allow it. The error includes the scene and
    ///   the content type.
    public func check(_ content: MessageContent) throws(SceneError) {
        try check(content.type, byteCount: content.byteCount)
    }

    /// Checks that the scene allows content of this type and size.
    ///
    /// - Throws: ``SceneError`` if the scene does not allow it. The error includes the scene and
    ///   the content type.
    public func check(_ type: ContentType, byteCount: Int) throws(SceneError) {
        guard allowedContent.contains(type) else {
            throw SceneError(.contentNotCarried, scene: name, type: type) {
                "\(type.rawValue) is not allowed; allowed: \(Self.list(allowedContent))"
            }
        }
        guard byteCount <= contentBytesMax else {
            throw SceneError(.contentTooLarge, scene: name, type: type) {
                "\(type.rawValue) of \(byteCount) bytes "
                    + "exceeds the limit of \(contentBytesMax) bytes"
            }
        }
    }

    private static func list(_ types: Set<ContentType>) -> String {
        let words = ContentType.allCases.filter(types.contains).map(\.rawValue)
        return words.isEmpty ? "nothing" : words.joined(separator: ", ")
    }
}
