/// The lines of a capture, in a form that can be compared with another capture.
package struct ComparableCapture: Sendable {
    package var conversations: [ComparableConversation] = []
    /// True if the capture has more lines than can be compared.
    package var isCut = false
    package var lines = 0
    /// Time of the first packet, in nanoseconds since 1970; nil if unknown.
    package var startedAt: Int64?
}

/// The lines of a connection.
package struct ComparableConversation: Sendable {
    var number: Int
    /// The first known name of the operator; empty if there is none.
    var name: [UInt8] = []
    var lines: [ComparableLine] = []
    /// True if lines are, or may be, missing from the capture.
    var hasGaps = false
    /// True if the connection was still open at the end of the capture.
    var isOpen = true
    /// True if the server closed or reset the connection first.
    var isEndedByServer = false
    /// Number of lines before the client closed the connection; nil if it did not.
    var linesBeforeClose: Int?

    /// Time of the first FIN or RST, in nanoseconds since 1970; nil if there is none.
    var closedAt: Int64?

    /// True if the client still waited after its last line before the connection was closed.
    var waitedAtEnd: Bool {
        guard let closedAt, let last = lines.last(where: \.isFromClient)?.packet.time else {
            return false
        }
        return closedAt &- last >= Self.waitNanosecondsMin
    }

    /// Minimum time that a client waits for lines that do not arrive.
    private static let waitNanosecondsMin: Int64 = 1_000_000_000

    /// Indices of the client's lines.
    var requests: [Int] { lines.indices.filter { lines[$0].isFromClient } }
}

/// A line with its arguments as text.
struct ComparableLine: Sendable {
    var isFromClient: Bool
    /// Name of the command or, if it is unknown, the first word of the line.
    var command: String
    var arguments: [(name: String, value: [UInt8])]
    /// The name in the source of the line; empty if there is none.
    var source: [UInt8] = []
    /// True if the line delivers a message from another operator.
    var isDelivery: Bool
    /// The start of the line as in the log.
    var text: [UInt8]
    var packet: PacketInfo
}
