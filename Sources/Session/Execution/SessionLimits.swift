/// The named maxima of what a session keeps of the traffic, whatever a server sends.
package struct SessionLimits: Sendable, Equatable {
    /// The most lines that may wait for an expectation, or that one round of twins may have.
    package var inboxLinesMax = 100_000
    /// The most bytes that such lines may have.
    package var inboxBytesMax = 64 << 20
    /// The most entries of a transcript; when there are more, the older half is dropped.
    package var transcriptEntriesMax = 20_000
    /// The most bytes of all entries; when there are more, the older ones are dropped down to half.
    package var transcriptBytesMax = 32 << 20
    /// The most bytes that a transcript keeps of one line, and of one payload.
    package var entryBytesMax = 256 << 10
    /// The most pieces that may wait to be sent when a standing rule adds an answer.
    package var outgoingMax = 1_000_000

    /// The maxima that hold.
    package init() {}
}
