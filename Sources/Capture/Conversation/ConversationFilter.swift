public import LineProtocol

/// Which part of a conversation is wanted.
public struct ConversationSelection: Sendable {
    /// The names of commands; empty: all lines.
    public var commands: Set<String> = []
    /// What operators are called; empty: all.
    public var operators: Set<[UInt8]> = []
    /// The numbers of connections; empty: all.
    public var connections: Set<Int> = []
    /// The first nanosecond since 1970; nil: from the start.
    public var from: Int64?
    /// The last nanosecond since 1970; nil: to the end.
    public var to: Int64?

    /// Everything.
    public init() {}

    /// Whether everything is wanted.
    public var isAll: Bool {
        commands.isEmpty && operators.isEmpty && connections.isEmpty && from == nil && to == nil
    }
}

/// Lets only the wanted part of a conversation through.
///
/// What is not shown has been decoded all the same: an operator's name counts from wherever it was told.
public struct ConversationFilter<Sink: ConversationSink>: ConversationSink {
    /// Where the wanted part goes.
    public var sink: Sink
    private let selection: ConversationSelection
    private let isWanted: [Bool]

    /// A filter of the dialect's conversations.
    public init(_ sink: Sink, _ dialect: Dialect, _ selection: ConversationSelection) {
        self.sink = sink
        self.selection = selection
        isWanted = dialect.commands.signatures.map { selection.commands.contains($0.name) }
    }

    private func wants(_ connection: Connection, _ packet: PacketInfo) -> Bool {
        if !selection.connections.isEmpty, !selection.connections.contains(connection.number) {
            return false
        }
        if !selection.operators.isEmpty, !selection.operators.contains(connection.operatorName) {
            return false
        }
        if let from = selection.from, packet.time < from { return false }
        if let to = selection.to, packet.time > to { return false }
        return true
    }

    /// A connection was seen for the first time.
    public mutating func opened(_ connection: Connection, _ packet: PacketInfo) {
        guard selection.commands.isEmpty, wants(connection, packet) else { return }
        sink.opened(connection, packet)
    }

    /// A line, decoded.
    public mutating func line(
        _ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>
    ) {
        guard wants(line.connection, line.packet) else { return }
        if !selection.commands.isEmpty {
            guard let command = message.command, isWanted[command] else { return }
        }
        sink.line(line, message, in: bytes)
    }

    /// Something else has happened.
    public mutating func note(
        _ note: ConversationNote, _ connection: Connection, _ direction: Direction?,
        _ packet: PacketInfo
    ) {
        guard selection.commands.isEmpty, wants(connection, packet) else { return }
        sink.note(note, connection, direction, packet)
    }

    /// A connection is over.
    public mutating func ended(
        _ connection: Connection, _ end: ConnectionEnd, _ packet: PacketInfo
    ) {
        guard selection.commands.isEmpty, wants(connection, packet) else { return }
        sink.ended(connection, end, packet)
    }

    /// The capture is over.
    public mutating func finish() { sink.finish() }
}
