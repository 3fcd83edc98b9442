/// Counts of decoded lines.
package struct ConversationCounts: Sendable, Equatable {
    /// All lines, including incomplete ones.
    package var lines = 0
    /// Lines that violate the command table.
    package var broken = 0
    /// Lines with commands that the dialect does not know.
    package var unknown = 0
    /// Lines whose start or end is missing or may be missing.
    package var incomplete = 0
    /// Connections that became encrypted.
    package var encrypted = 0
    /// Lines truncated because unfinished lines held too many bytes.
    package var cut = 0

    package init() {}
}
