/// What a conversation came to.
package struct ConversationCounts: Sendable, Equatable {
    /// Lines, whole and in parts.
    package var lines = 0
    /// Lines that break the dialect.
    package var broken = 0
    /// Lines of commands that the dialect does not know.
    package var unknown = 0
    /// Lines that lack their start or end, or may.
    package var holed = 0
    /// Connections that became encrypted.
    package var encrypted = 0
    /// Lines cut because unfinished ones took too much room.
    package var cut = 0

    /// Nothing yet.
    package init() {}
}
