/// Limits of the data that a session keeps, whatever a server sends.
package struct SessionLimits: Sendable, Equatable {
    /// Maximum number of lines waiting for an expectation, or received in one comparison round.
    package var inboxLinesMax = 100_000
    /// Maximum size of these lines, in bytes.
    package var inboxBytesMax = 64 << 20
    /// Maximum number of transcript entries. Beyond it, the older half is dropped.
    package var transcriptEntriesMax = 20_000
    /// Maximum size of all transcript entries, in bytes. Beyond it, entries are dropped down to
    /// half.
    package var transcriptBytesMax = 32 << 20
    /// Maximum number of bytes kept of one line, and of one payload.
    package var entryBytesMax = 256 << 10
    /// Maximum number of queued pieces when a standing rule adds a reply.
    package var outgoingMax = 1_000_000

    /// Creates the default limits.
    package init() {}
}
