/// Limits on the data that a session keeps. They apply regardless of what a server sends.
package struct SessionLimits: Sendable, Equatable {
    /// Maximum number of lines waiting for an expectation or received in one round of a comparison.
    package var inboxLinesMax = 100_000
    /// Maximum total size of the lines counted by ``inboxLinesMax``, in bytes.
    package var inboxBytesMax = 64 << 20
    /// Maximum number of transcript entries. If it is exceeded, the older half of them is dropped.
    package var transcriptEntriesMax = 20_000
    /// Maximum total size of the transcript, in bytes. If it is exceeded, the oldest entries are
    /// dropped until the size is half of this.
    package var transcriptBytesMax = 32 << 20
    /// Maximum number of bytes kept per line and per payload.
    package var entryBytesMax = 256 << 10
    /// Maximum number of pieces queued for sending when a standing rule adds its reply.
    package var outgoingMax = 1_000_000

    /// Creates the default limits.
    package init() {}
}
