/// Limits for the data that a session keeps, regardless of what a server sends.
package struct SessionLimits: Sendable, Equatable {
    /// Maximum number of lines waiting for an expectation, or received in one comparison round.
    package var inboxLinesMax = 100_000
    /// Maximum total size of these lines, in bytes.
    package var inboxBytesMax = 64 << 20
    /// Maximum number of transcript entries. When it is exceeded, the older half is dropped.
    package var transcriptEntriesMax = 20_000
    /// Maximum total size of all transcript entries, in bytes. When it is exceeded, the oldest
    /// entries are dropped until half of it is left.
    package var transcriptBytesMax = 32 << 20
    /// Maximum number of bytes kept of a line, and of a payload.
    package var entryBytesMax = 256 << 10
    /// Maximum number of pieces that may be queued when a standing rule adds a reply.
    package var outgoingMax = 1_000_000

    /// Creates the default limits.
    package init() {}
}
