package import LineProtocol

/// Which part of a conversation is wanted.
package struct ConversationSelection: Sendable {
    /// The names of commands; empty: all lines.
    package var commands: Set<String> = []
    /// What operators are called; empty: all.
    package var operators: Set<[UInt8]> = []
    /// The numbers of connections; empty: all.
    package var connections: Set<Int> = []
    /// The first moment; nil: from the start.
    package var from: CaptureTime?
    /// The last moment; nil: to the end.
    package var to: CaptureTime?

    /// Everything.
    package init() {}

    /// Whether everything is wanted.
    package var isAll: Bool {
        commands.isEmpty && operators.isEmpty && connections.isEmpty && from == nil && to == nil
    }
}

/// Lets only the wanted part of a conversation through.
///
/// What is not shown has been decoded all the same: an operator's name counts from wherever it was told.
package struct ConversationFilter<Sink: ConversationSink>: ConversationSink {
    /// Where the wanted part goes.
    package var sink: Sink
    private let selection: ConversationSelection
    private var words: Words
    private let allWords: [Words]
    private var found = SelectionFindings()
    /// Of each dialect, which commands occurred.
    private var occurred: [[Bool]]
    private var dialect = 0
    /// The wanted times, once the first packet is known.
    private var times: ClosedRange<Int64>?

    /// The commands that are wanted, as one dialect has them.
    private struct Words {
        /// By their places.
        var isWanted: [Bool]
        /// Those that the dialect does not know: lines that begin so are wanted.
        var verbs: [(word: String, bytes: [UInt8])]
        var ignoresCase: Bool
        var names: [String]

        init(_ dialect: Dialect, _ wanted: Set<String>) {
            names = dialect.commands.signatures.map(\.name)
            isWanted = names.map { wanted.contains($0) }
            verbs = wanted.subtracting(names).sorted().map { ($0, Array($0.utf8)) }
            ignoresCase = dialect.syntax.verbCase == .insensitive
        }

        /// The word that the line begins with, if it is one of those.
        func verb(_ bytes: Span<UInt8>, _ place: Range<Int>) -> String? {
            verbs.first { known in
                known.bytes.count == place.count
                    && place.allSatisfy { index in
                        let (one, other) = (bytes[index], known.bytes[index - place.lowerBound])
                        return one == other
                            || ignoresCase && ASCII.uppercased(one) == ASCII.uppercased(other)
                    }
            }?.word
        }
    }

    /// A filter of the dialect's conversations.
    package init(_ sink: Sink, _ dialect: Dialect, _ selection: ConversationSelection) {
        self.init(sink, [dialect], selection)
    }

    /// A filter of conversations in several dialects, at least one.
    package init(_ sink: Sink, _ dialects: [Dialect], _ selection: ConversationSelection) {
        self.sink = sink
        self.selection = selection
        allWords = dialects.map { Words($0, selection.commands) }
        words = allWords[0]
        occurred = allWords.map { $0.names.map { _ in false } }
    }

    /// What was let through so far, and what there was.
    package var findings: SelectionFindings {
        var findings = found
        for (words, occurred) in zip(allWords, occurred) {
            for (name, occurs) in zip(words.names, occurred) where occurs {
                findings.commands.insert(name)
            }
        }
        return findings
    }

    /// The lines that follow are of another dialect.
    package mutating func turn(to dialect: Int) {
        self.dialect = dialect
        words = allWords[dialect]
        sink.turn(to: dialect)
    }

    /// Whether something of this connection and time is wanted.
    private mutating func wants(_ connection: Connection, _ packet: PacketInfo) -> Bool {
        found.saw(packet.time)
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

    private mutating func wants(_ time: Int64) -> Bool {
        guard selection.from != nil || selection.to != nil else { return true }
        return time != CaptureRecord.timeUnknown && range(time).contains(time)
    }

    /// The wanted times; the first packet that is told decides where a capture starts.
    private mutating func range(_ first: Int64) -> ClosedRange<Int64> {
        if let times { return times }
        let lower = selection.from?.time(first: first) ?? .min
        let upper = max(lower, selection.to?.time(first: first) ?? .max)
        times = lower...upper
        return lower...upper
    }

    /// Whether the line's command is wanted.
    private mutating func wants(_ message: Message, in bytes: Span<UInt8>) -> Bool {
        if let command = message.command {
            occurred[dialect][command] = true
            if words.isWanted[command] { return true }
        }
        guard !words.verbs.isEmpty, let verb = words.verb(bytes, message.split.verb) else {
            return selection.commands.isEmpty
        }
        found.verbs.insert(verb)
        return true
    }

    /// A connection was seen for the first time.
    package mutating func opened(_ connection: Connection, _ packet: PacketInfo) {
        guard wants(connection, packet), selection.commands.isEmpty else { return }
        found.shown += 1
        sink.opened(connection, packet)
    }

    /// A line, decoded.
    package mutating func line(
        _ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>
    ) {
        let isWanted = wants(line.connection, line.packet)
        let isCommand = wants(message, in: bytes)
        if isCommand { found.fitting.insert(.command) }
        guard isWanted, isCommand else { return }
        found.shown += 1
        sink.line(line, message, in: bytes)
    }

    /// Something else has happened.
    package mutating func note(
        _ note: ConversationNote, _ connection: Connection, _ direction: Direction?,
        _ packet: PacketInfo
    ) {
        if case .named(let name) = note { found.saw(operator: name) }
        guard wants(connection, packet), selection.commands.isEmpty else { return }
        found.shown += 1
        sink.note(note, connection, direction, packet)
    }

    /// A connection is over.
    package mutating func ended(
        _ connection: Connection, _ end: ConnectionEnd, _ packet: PacketInfo
    ) {
        guard wants(connection, packet), selection.commands.isEmpty else { return }
        found.shown += 1
        sink.ended(connection, end, packet)
    }

    /// Nothing more is at hand for now.
    package mutating func pause() { sink.pause() }

    /// The capture is over.
    package mutating func finish() { sink.finish() }
}
