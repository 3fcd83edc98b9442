/// Counts of decoded lines.
package struct ConversationCounts: Sendable, Equatable {
    /// Number of lines, including incomplete lines.
    package var lines = 0
    /// Number of lines that violate the command table.
    package var broken = 0
    /// Number of lines with unknown commands.
    package var unknown = 0
    /// Number of lines whose start or end is, or may be, missing.
    package var incomplete = 0
    /// Number of lines captured after their connection was reset.
    package var afterReset = 0
    /// Number of connections that became encrypted and were not decrypted.
    package var encrypted = 0
    /// Number of connections that were decrypted with secrets from a key log.
    package var decrypted = 0
    /// Number of directions of decrypted connections whose end could not be decrypted.
    package var undecrypted = 0
    /// Number of lines that were truncated because unfinished lines took up too many bytes.
    package var cut = 0

    package init() {}
}
