package import LineProtocol
package import Transcript

/// Writes a capture down as a conversation that a scenario can be made of.
///
/// What cannot be played (what the capture lacks, lines in part, what is encrypted) becomes a remark in its
/// place, and is counted.
package struct TranscriptSink: ConversationSink, Sendable {
    /// The most remarks; what more there is to remark on is only counted.
    static let remarksMax = 1_000
    /// The most servers that are kept: a scenario is played against one.
    static let serversMax = 8

    /// What was said.
    package private(set) var conversation = Conversation()
    /// When the first packet came, in nanoseconds since 1970; nil where the capture has no times.
    package private(set) var startedAt: Int64?
    /// How many things a reader has to know that the scenario cannot say.
    package private(set) var remarks = 0
    /// Connections on which nothing was said that could be read.
    package var silentConnections: Int { connections.count - speaking.count }
    /// Which servers were talked to, as far as they are kept.
    package private(set) var servers: Set<Endpoint> = []
    private let builder: RecordedLineBuilder
    private var connections: Set<Int> = []
    private var speaking: Set<Int> = []

    /// Nothing yet of a dialect's conversations.
    package init(_ dialect: Dialect) { builder = RecordedLineBuilder(dialect) }

    /// A connection was seen for the first time.
    package mutating func opened(_ connection: Connection, _ packet: PacketInfo) {
        add(.opened, connection, packet)
        guard !connection.startWasSeen else { return }
        remark("began before the capture: what was said then is missing", connection, packet)
    }

    /// A line, decoded.
    package mutating func line(_ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>) {
        guard line.marks.isDisjoint(with: [.headMissing, .tailMissing]) else {
            let part =
                line.marks.contains([.headMissing, .tailMissing])
                ? "middle" : line.marks.contains(.headMissing) ? "end" : "start"
            remark(
                "only the \(part) of a line that the \(Self.word(line.direction)) said was captured",
                line.connection, line.packet)
            return
        }
        speaking.insert(line.connection.number)
        if servers.count < Self.serversMax { servers.insert(line.connection.server) }
        add(
            .line(builder.line(message, line.frame, in: bytes)), line.connection, line.packet)
    }

    /// Something else has happened.
    package mutating func note(
        _ note: ConversationNote, _ connection: Connection, _ direction: Direction?,
        _ packet: PacketInfo
    ) {
        let side = direction.map(Self.word) ?? "other side"
        switch note {
        case .named, .speaks: break
        case .halfClosed:
            if let direction { add(.closed(by: direction, isReset: false), connection, packet) }
        case .gap(let gap):
            let bytes = gap.count == 1 ? "1 byte" : "\(gap.count) bytes"
            remark("\(bytes) that the \(side) said are missing here", connection, packet)
        case .conflict(let conflict):
            let bytes = conflict.count == 1 ? "1 byte" : "\(conflict.count) bytes"
            let which = conflict.lastCounts ? "last" : "first"
            remark(
                "\(bytes) of the \(side) came twice and differed; the \(which) count", connection,
                packet)
        case .encrypted:
            remark("is encrypted from here on: what is said then is missing", connection, packet)
        case .outOfStep:
            remark("cannot be read from here on: it is missing", connection, packet)
        case .lineCut:
            remark("a line of the \(side) was cut: it is too long", connection, packet)
        }
    }

    /// A connection is over.
    package mutating func ended(
        _ connection: Connection, _ end: ConnectionEnd, _ packet: PacketInfo
    ) {
        switch end {
        case .closed, .captureEnd: break
        case .reset:
            let side = connection.resetBy ?? .fromServer
            add(.closed(by: side, isReset: true), connection, packet)
        case .replaced:
            remark("has ended unseen: its ports are used again", connection, packet)
        case .forgotten:
            remark("was given up: there are too many", connection, packet)
        }
    }

    /// The capture is over.
    package mutating func finish() {}

    private mutating func add(
        _ kind: Conversation.Kind, _ connection: Connection, _ packet: PacketInfo
    ) {
        connections.insert(connection.number)
        var time: Int64 = 0
        if packet.time != CaptureRecord.timeUnknown {
            if startedAt == nil { startedAt = packet.time }
            time = max(0, packet.time &- (startedAt ?? packet.time))
        }
        conversation.append(
            Conversation.Event(time: time, connection: connection.number - 1, kind: kind))
    }

    private mutating func remark(
        _ text: String, _ connection: Connection, _ packet: PacketInfo
    ) {
        remarks += 1
        guard remarks <= Self.remarksMax else { return }
        let place = "connection \(connection.number) (\(connection.client.text))"
        add(.remark("\(place): \(text)"), connection, packet)
    }

    private static func word(_ direction: Direction) -> String {
        direction == .fromClient ? "client" : "server"
    }
}
