package import Results

/// The result of writing a slice.
package struct SliceOutcome: Sendable {
    /// Number of packets in the slice. If there are none, no file is written.
    package var packets = 0
    /// Number of connections with packets in the slice.
    package var connections = 0
    /// Number of these connections whose first packets are missing, because the capture could be
    /// read only once.
    package var incompleteConnections = 0
    /// The reason the slice could not be written; nil if it could.
    package var failure: CommandFailure?
    /// True if the slice was not written because the command was interrupted.
    package var isInterrupted = false
}

/// A slice to be written in a second pass over the captures.
struct PendingSlice: Sendable {
    /// The connections that the first pass selected.
    var connections: ConnectionNumbers
    /// The dialects for the comments.
    var dialects: DialectSet
    /// The options of the first pass, which determine the connection numbers.
    var reassembly: ReassemblyOptions
}
