/// What a conversation came to.
public struct ConversationCounts: Sendable, Equatable {
    /// Lines, whole and in parts.
    public var lines = 0
    /// Lines that break the dialect.
    public var broken = 0
    /// Lines of commands that the dialect does not know.
    public var unknown = 0
    /// Lines that lack their start or end, or may.
    public var holed = 0
    /// Connections that became encrypted.
    public var encrypted = 0
    /// Lines cut because unfinished ones took too much room.
    public var cut = 0

    /// Nothing yet.
    public init() {}
}
