public import LineProtocol

/// Which part of a conversation is wanted.
public struct ConversationSelection: Sendable {
    /// The names of commands; empty: all lines.
    public var commands: Set<String> = []
    /// What operators are called; empty: all.
    public var operators: Set<[UInt8]> = []
    /// The numbers of connections; empty: all.
    public var connections: Set<Int> = []
    /// The first moment; nil: from the start.
    public var from: CaptureMoment?
    /// The last moment; nil: to the end.
    public var to: CaptureMoment?

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
    private var isWanted: [Bool]
    private let allWanted: [[Bool]]
    /// The wanted times, once the first packet is known.
    private var times: ClosedRange<Int64>?

    /// A filter of the dialect's conversations.
    public init(_ sink: Sink, _ dialect: Dialect, _ selection: ConversationSelection) {
        self.init(sink, [dialect], selection)
    }

    /// A filter of conversations in several dialects, at least one.
    public init(_ sink: Sink, _ dialects: [Dialect], _ selection: ConversationSelection) {
        self.sink = sink
        self.selection = selection
        allWanted = dialects.map { dialect in
            dialect.commands.signatures.map { selection.commands.contains($0.name) }
        }
        isWanted = allWanted[0]
    }

    /// The lines that follow are of another dialect.
    public mutating func turn(to dialect: Int) {
        isWanted = allWanted[dialect]
        sink.turn(to: dialect)
    }

    private mutating func wants(_ connection: Connection, _ packet: PacketInfo) -> Bool {
        if times == nil, packet.time != CaptureRecord.timeUnknown { _ = range(packet.time) }
        if !selection.connections.isEmpty, !selection.connections.contains(connection.number) {
            return false
        }
        if !selection.operators.isEmpty, !selection.operators.contains(connection.operatorName) {
            return false
        }
        guard selection.from != nil || selection.to != nil else { return true }
        return packet.time != CaptureRecord.timeUnknown && range(packet.time).contains(packet.time)
    }

    /// The wanted times; the first packet that is told decides where a capture starts.
    private mutating func range(_ first: Int64) -> ClosedRange<Int64> {
        if let times { return times }
        let lower = selection.from?.time(first: first) ?? .min
        let upper = max(lower, selection.to?.time(first: first) ?? .max)
        times = lower...upper
        return lower...upper
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

    /// Nothing more is at hand for now.
    public mutating func pause() { sink.pause() }

    /// The capture is over.
    public mutating func finish() { sink.finish() }
}
