package import LineProtocol

/// What went over a server's connections, in the order in which it was seen: what a recording or a
/// capture delivers, and what a scenario is written from.
package struct Conversation: Sendable {
    /// The most events that are kept; what comes after them is dropped and ``isTruncated`` says so.
    package static let eventsMax = 100_000
    /// The most bytes of lines and payloads that are kept.
    package static let bytesMax = 64 << 20

    /// What happened, in order.
    package private(set) var events: [Event] = []
    /// Whether a maximum was reached, so that the end is missing.
    package private(set) var isTruncated = false
    private var bytes = 0

    /// A conversation in which nothing has happened.
    package init() {}

    /// Adds what happened next.
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

    /// One thing that happened on one connection.
    package struct Event: Sendable {
        /// Nanoseconds since the conversation's start.
        package var time: Int64
        /// Which connection, counted from 0 in the order in which they were made.
        package var connection: Int
        /// What happened.
        package var kind: Kind

        /// An event from its parts.
        package init(time: Int64, connection: Int, kind: Kind) {
            self.time = time
            self.connection = connection
            self.kind = kind
        }
    }

    /// What can happen.
    package enum Kind: Sendable {
        /// The connection was made.
        case opened
        /// One side has said a line.
        case line(RecordedLine)
        /// One side has ended its direction, or both with a reset.
        case closed(by: Direction, isReset: Bool)
        /// Something that a reader of the scenario has to know, in one line: a capture has a placeholder here.
        case remark(String)
    }
}

/// A line that was overheard, with its original bytes and their division into fields.
package struct RecordedLine: Sendable, Equatable {
    /// Who said it.
    package var direction: Direction
    /// The line without its terminator.
    package var bytes: [UInt8]
    /// The terminator's bytes; empty where the line had no end.
    package var terminator: [UInt8]
    /// The payload or block after the line, dots of a block undone.
    package var payload: [UInt8]?
    /// Whether it is whole and ends as the dialect says, so that the dialect's codec would write it so.
    package var isRegular: Bool
    /// The command's name in the dialect's table; nil if it is unknown.
    package var command: String?
    /// Where the command stands.
    package var verb: Range<Int>
    /// Where the source stands, without its marker.
    package var source: Range<Int>?
    /// Where the tags stand, without their marker.
    package var tags: Range<Int>?
    /// The fields after the command.
    package var fields: [Field]

    /// A field of a line.
    package struct Field: Sendable, Equatable {
        /// Where its value stands, still escaped.
        package var range: Range<Int>
        /// The argument that it is, by the dialect's table.
        package var argument: String?
        /// Whether the value is its own spelling.
        package var isPlain: Bool
    }

    /// A field's value as it was spelled.
    package func value(_ field: Field) -> [UInt8] { Array(bytes[field.range]) }

    /// The command as it was spelled.
    package var verbBytes: [UInt8] { Array(bytes[verb]) }
}
