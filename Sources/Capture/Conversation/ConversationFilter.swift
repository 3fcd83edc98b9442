package import LineProtocol

/// The part of a conversation to show.
package struct ConversationSelection: Sendable {
    /// Names of the commands to show; empty to show all commands.
    package var commands: Set<String> = []
    /// Names of the operators to show; empty to show all operators.
    package var operators: Set<[UInt8]> = []
    /// Numbers of the connections to show; empty to show all connections.
    package var connections: Set<Int> = []
    /// Start of the time range; nil for the start of the capture.
    package var from: CaptureTime?
    /// End of the time range; nil for the end of the capture.
    package var to: CaptureTime?

    package init() {}

    /// True if everything is selected.
    package var isAll: Bool {
        commands.isEmpty && operators.isEmpty && connections.isEmpty && from == nil && to == nil
    }

    /// Returns the connections to write to a slice.
    var slice: SliceSelection {
        if isAll { return .all }
        var rest = self
        rest.connections = []
        return rest.isAll ? .only(ConnectionNumbers(connections)) : .growing
    }
}

/// A sink that forwards only the selected part of a conversation.
///
/// All lines are decoded, even those that are filtered out, because they may contain an operator's
/// name.
package struct ConversationFilter<Sink: ConversationSink>: ConversationSink {
    /// The sink that receives the selected part.
    package var sink: Sink
    private let selection: ConversationSelection
    private var wanted: WantedCommands
    private let allWanted: [WantedCommands]
    private var found = SelectionFindings()
    /// Flags for the commands that occurred, by dialect and command index.
    private var occurred: [[Bool]]
    private var dialect = 0
    /// The connections with selected lines or events, for a slice; nil if they are not needed.
    var shownConnections: SliceSelection?
    /// The selected time range.
    private var times = Int64.min...Int64.max

    /// The commands of one dialect that the user selected.
    private struct WantedCommands {
        /// Flags for the selected commands, by command index.
        var isWanted: [Bool]
        /// Selected commands that are not in the dialect's table. They are compared with the first
        /// word of a line.
        var verbs: [(word: String, bytes: [UInt8])]
        var ignoresCase: Bool
        var names: [String]

        init(_ dialect: Dialect, _ wanted: Set<String>) {
            names = dialect.commands.signatures.map(\.name)
            isWanted = names.map { wanted.contains($0) }
            verbs = wanted.subtracting(names).sorted().map { ($0, Array($0.utf8)) }
            ignoresCase = Direction.allCases.contains { dialect.syntax[$0].ignoresVerbCase }
        }

        /// Returns the command in `verbs` that equals the bytes in `range`; nil if there is none.
        func verb(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String? {
            let verb = bytes.extracting(range)
            return verbs.first { known in
                ignoresCase
                    ? ASCII.isSame(verb, known.bytes.span)
                    : verb.count == known.bytes.count
                        && verb.indices.allSatisfy { verb[$0] == known.bytes[$0] }
            }?.word
        }
    }

    package init(_ sink: Sink, _ dialect: Dialect, _ selection: ConversationSelection) {
        self.init(sink, [dialect], selection)
    }

    /// - Precondition: `dialects` is not empty.
    package init(_ sink: Sink, _ dialects: [Dialect], _ selection: ConversationSelection) {
        self.sink = sink
        self.selection = selection
        allWanted = dialects.map { WantedCommands($0, selection.commands) }
        wanted = allWanted[0]
        occurred = allWanted.map { $0.names.map { _ in false } }
    }

    /// The filter's matches so far, and the names of the commands and operators that occurred.
    package var findings: SelectionFindings {
        var findings = found
        for (wanted, occurred) in zip(allWanted, occurred) {
            for (name, occurs) in zip(wanted.names, occurred) where occurs {
                findings.commands.insert(name)
            }
        }
        return findings
    }

    package mutating func switchDialect(to dialect: Int) {
        self.dialect = dialect
        wanted = allWanted[dialect]
        sink.switchDialect(to: dialect)
    }

    private mutating func wants(_ connection: CapturedConnection, _ packet: PacketInfo) -> Bool {
        found.record(packet.time)
        let isConnection =
            selection.connections.isEmpty || selection.connections.contains(connection.number)
        let isOperator =
            selection.operators.isEmpty || selection.operators.contains(connection.operatorName)
        let isTime = wants(packet.time)
        if isConnection { found.fitting.insert(.connection) }
        if isOperator { found.fitting.insert(.operatorName) }
        if isTime { found.fitting.insert(.time) }
        return isConnection && isOperator && isTime
    }

    /// Counts an event that is shown.
    private mutating func show(_ connection: CapturedConnection) {
        found.shown += 1
        shownConnections?.add(connection.number)
    }

    private func wants(_ time: Int64) -> Bool {
        guard selection.from != nil || selection.to != nil else { return true }
        return time != CaptureRecord.timeUnknown && times.contains(time)
    }

    package mutating func started(at time: Int64) {
        let lower = selection.from?.time(first: time) ?? .min
        times = lower...max(lower, selection.to?.time(first: time) ?? .max)
        sink.started(at: time)
    }

    private mutating func wants(_ message: Message, in bytes: Span<UInt8>) -> Bool {
        if let command = message.command {
            occurred[dialect][command] = true
            if wanted.isWanted[command] { return true }
        }
        guard !wanted.verbs.isEmpty, let verb = wanted.verb(bytes, message.split.verb) else {
            return selection.commands.isEmpty
        }
        found.verbs.insert(verb)
        return true
    }

    package mutating func opened(_ connection: CapturedConnection, _ packet: PacketInfo) {
        found.record(connection: connection.number)
        guard wants(connection, packet), selection.commands.isEmpty else { return }
        show(connection)
        sink.opened(connection, packet)
    }

    package mutating func line(
        _ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>
    ) {
        let isWanted = wants(line.connection, line.packet)
        let isCommand = wants(message, in: bytes)
        if isCommand { found.fitting.insert(.command) }
        guard isWanted, isCommand else { return }
        show(line.connection)
        sink.line(line, message, in: bytes)
    }

    package mutating func note(
        _ note: ConversationNote, _ connection: CapturedConnection, _ direction: Direction?,
        _ packet: PacketInfo
    ) {
        if case .named(let name) = note { found.record(operator: name) }
        guard wants(connection, packet), selection.commands.isEmpty else { return }
        show(connection)
        sink.note(note, connection, direction, packet)
    }

    package mutating func ended(
        _ connection: CapturedConnection, _ end: ConnectionEnd, _ packet: PacketInfo
    ) {
        guard wants(connection, packet), selection.commands.isEmpty else { return }
        show(connection)
        sink.ended(connection, end, packet)
    }

    package mutating func pause() { sink.pause() }

    package mutating func finish() { sink.finish() }
}
