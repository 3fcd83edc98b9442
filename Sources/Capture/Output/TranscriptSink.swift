package import LineProtocol
package import Transcript

/// A sink that records a capture as a conversation that can be converted to a scenario.
///
/// Gaps, partial lines and encrypted data cannot be replayed. They are counted, and a comment is
/// added where each of them occurs.
package struct TranscriptSink: ConversationSink, Sendable {
    /// Maximum number of comments in the scenario. Other comments are only counted.
    static let commentsMax = 1_000
    /// Maximum number of servers to remember.
    static let serversMax = 8

    package private(set) var conversation = Conversation()
    /// Time of the first packet, in nanoseconds since 1970; nil if the capture contains no times.
    package private(set) var startedAt: Int64?
    /// Number of comments, including those that are not written.
    package private(set) var comments = 0
    /// Number of connections without decoded lines.
    package var silentConnections: Int { connections.count - speaking.count }
    /// Servers in the capture, at most ``serversMax``.
    package private(set) var servers: Set<IPEndpoint> = []
    /// True if a connection started TLS after its first lines.
    package private(set) var startsTLS = false
    /// True if a connection used TLS from its start.
    private var usesTLS = false
    private let dialectName: String
    private let builder: RecordedLineBuilder
    private var connections: Set<Int> = []
    private var speaking: Set<Int> = []

    package init(_ dialect: Dialect) {
        dialectName = dialect.name
        builder = RecordedLineBuilder(dialect)
    }

    package mutating func opened(_ connection: CapturedConnection, _ packet: PacketInfo) {
        conversation.serverPorts.insert(connection.server.port)
        add(.opened, connection, packet)
        guard !connection.startWasSeen else { return }
        comment("started before the capture; earlier lines are missing", connection, packet)
    }

    package mutating func line(_ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>) {
        guard line.marks.isDisjoint(with: [.headMissing, .tailMissing]) else {
            let part =
                line.marks.contains([.headMissing, .tailMissing])
                ? "middle" : line.marks.contains(.headMissing) ? "end" : "start"
            comment(
                "only the \(part) of a line from the \(Self.word(line.direction)) was captured",
                line.connection, line.packet)
            return
        }
        guard !line.marks.contains(.afterReset) else {
            comment(
                "a line from the \(Self.word(line.direction)) was captured after the reset",
                line.connection, line.packet)
            return
        }
        speaking.insert(line.connection.number)
        if servers.count < Self.serversMax { servers.insert(line.connection.server) }
        add(
            .line(builder.line(message, line.frame, in: bytes)), line.connection, line.packet)
    }

    package mutating func note(
        _ note: ConversationNote, _ connection: CapturedConnection, _ direction: Direction?,
        _ packet: PacketInfo
    ) {
        let side = direction.map(Self.word) ?? "other side"
        switch note {
        case .named, .speaks, .handshake, .proxied: break
        case .halfClosed:
            if let direction { add(.closed(by: direction, isReset: false), connection, packet) }
        case .gap(let gap):
            let bytes = gap.count == 1 ? "1 byte" : "\(gap.count) bytes"
            comment("\(bytes) from the \(side) missing here", connection, packet)
        case .conflict(let conflict):
            let bytes = conflict.count == 1 ? "1 byte" : "\(conflict.count) bytes"
            let which = conflict.prefersLastCopy ? "last" : "first"
            comment(
                "\(bytes) from the \(side) retransmitted with different content; using the \(which) copy",
                connection, packet)
        case .decrypted: addTLS(connection, packet)
        case .undecrypted(.earlyDataRefused): break
        case .undecrypted(let problem):
            let rest = problem.isFinal ? "; the rest is missing" : ""
            comment("not decrypted: \(problem.reason)\(rest)", connection, packet)
        case .encrypted:
            comment("encrypted from here on; the rest is missing", connection, packet)
        case .compressed:
            comment("compressed from here on; the rest is missing", connection, packet)
        case .outOfStep:
            comment("cannot be decoded from here on; the rest is missing", connection, packet)
        case .lineCut:
            comment(
                "a line from the \(side) was truncated: too much data in unfinished lines",
                connection, packet)
        }
    }

    package mutating func ended(
        _ connection: CapturedConnection, _ end: ConnectionEnd, _ packet: PacketInfo
    ) {
        switch end {
        case .closed, .captureEnd, .unanswered: break
        case .reset, .refused:
            let side = connection.resetBy ?? .fromServer
            add(.closed(by: side, isReset: true), connection, packet)
        case .replaced:
            comment(
                "its end was not captured; a new connection uses the same ports", connection, packet
            )
        case .forgotten:
            comment("dropped: too many connections", connection, packet)
        }
    }

    private mutating func add(
        _ kind: Conversation.Kind, _ connection: CapturedConnection, _ packet: PacketInfo
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

    /// Adds the start of TLS. If the connection has used TLS from its start, the scenario cannot
    /// contain it, because it is part of the server's address.
    private mutating func addTLS(_ connection: CapturedConnection, _ packet: PacketInfo) {
        if speaking.contains(connection.number) {
            startsTLS = true
            add(.startedTLS, connection, packet)
        } else if usesTLS {
            return
        } else {
            usesTLS = true
            let scheme = dialectName == "irc" ? "ircs" : "tls"
            add(
                .comment("use TLS: --server \(scheme)://\(connection.server.text)"), connection,
                packet)
        }
    }

    private mutating func comment(
        _ text: String, _ connection: CapturedConnection, _ packet: PacketInfo
    ) {
        comments += 1
        guard comments <= Self.commentsMax else { return }
        let subject = "connection \(connection.number) (\(connection.client.text))"
        add(.comment("\(subject): \(text)"), connection, packet)
    }

    private static func word(_ direction: Direction) -> String {
        direction == .fromClient ? "client" : "server"
    }
}
