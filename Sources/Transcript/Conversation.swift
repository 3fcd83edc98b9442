package import LineProtocol

/// The lines and other events on a server's connections, in the order they were observed.
/// Recordings and captures produce conversations, which are turned into scenarios.
package struct Conversation: Sendable {
    /// Maximum number of events. Any further events are dropped, and ``isTruncated`` is set.
    package static let eventsMax = 100_000
    /// Maximum total size of lines and payloads, in bytes.
    package static let bytesMax = 64 << 20

    package private(set) var events: [Event] = []
    /// True if a limit was reached, so that the end of the conversation is missing.
    package private(set) var isTruncated = false
    /// Ports of the servers. Servers may send them to clients.
    package var serverPorts: Set<UInt16> = []
    private var bytes = 0

    package init() {}

    package mutating func append(_ event: Event) {
        if case .line(let line) = event.kind {
            bytes += line.bytes.count + (line.payload?.count ?? 0)
        }
        guard !isTruncated, events.count < Self.eventsMax, bytes <= Self.bytesMax else {
            isTruncated = true
            return
        }
        events.append(event)
    }

    /// An event on a connection of the conversation.
    package struct Event: Sendable {
        /// Nanoseconds since the start of the conversation.
        package var time: Int64
        /// Index of the connection. Connections are numbered in the order they were opened.
        package var connection: Int
        package var kind: Kind

        package init(time: Int64, connection: Int, kind: Kind) {
            self.time = time
            self.connection = connection
            self.kind = kind
        }
    }

    /// The kind of a conversation event, with its data.
    package enum Kind: Sendable {
        /// The connection was opened.
        case opened
        /// One side sent a line.
        case line(RecordedLine)
        /// One side closed its sending direction, or the whole connection was reset.
        case closed(by: Direction, isReset: Bool)
        /// From here on, the connection uses TLS, although it did not at first.
        case startedTLS
        /// A one-line note for readers of the scenario, for example about a gap in the capture.
        case comment(String)
    }
}

/// An observed line, with the original bytes and the ranges of its fields.
package struct RecordedLine: Sendable, Equatable {
    package var direction: Direction
    /// The line without its terminator.
    package var bytes: [UInt8]
    /// The terminator; empty if the line has none.
    package var terminator: [UInt8]
    /// The counted payload or block after the line, without dot-stuffing; nil if there is none.
    package var payload: [UInt8]?
    /// True if the line is complete and Linejudge would end it with the same terminator.
    package var isRegular: Bool
    /// Name of the command in the dialect; nil if it is unknown.
    package var command: String?
    /// Range of the command in `bytes`.
    package var verb: Range<Int>
    /// Range of the source, without the marker before it; nil if there is none.
    package var source: Range<Int>?
    /// Range of the tags, without the marker before them; nil if there are none.
    package var tags: Range<Int>?
    /// The fields after the command.
    package var fields: [Field]

    /// A field of a recorded line.
    package struct Field: Sendable, Equatable {
        /// Range of the field's value. The value is still escaped.
        package var range: Range<Int>
        /// Name of the argument that the field contains; nil if the dialect does not declare one.
        package var argument: String?
        /// True if the value contains no escape sequences.
        package var isPlain: Bool
    }

    /// Returns the value of a field, which is still escaped.
    package func value(_ field: Field) -> [UInt8] { Array(bytes[field.range]) }

    package var verbBytes: [UInt8] { Array(bytes[verb]) }
}
