package import LineProtocol

/// Writes a conversation as a log for people, a line an event:
///
///     12:34:56.123456  #1 alice       → privmsg(target: "#room", text: "Hello")
///
/// Whatever stands in the capture, nothing in the log can do anything to a terminal.
package struct LogWriter: ConversationSink {
    /// So much text is gathered before it goes on.
    static var gatheredBytesMax: Int { 1 << 16 }
    /// The columns of a name, at least and at most.
    static var nameColumnsMin: Int { 10 }
    static var nameBytesMax: Int { 24 }
    /// The most bytes of one line's raw text and of a payload that are shown.
    static var shownBytesMax: Int { 4_096 }

    /// Where the text has gone.
    package private(set) var target: any TextSink
    var buffer = TextBuffer()
    private var words: DialectWords
    private let allWords: [DialectWords]
    private let options: LogOptions
    private let look: LogStyle
    private var times: TimeWriter
    /// Where the line that is being written begins.
    private var lineStart = 0
    private var known = RepeatedLines()

    /// A writer of the dialect's conversations.
    package init(_ target: some TextSink, _ dialect: Dialect, _ options: LogOptions) {
        self.init(target, [dialect], options)
    }

    /// A writer of conversations in several dialects, at least one.
    package init(_ target: some TextSink, _ dialects: [Dialect], _ options: LogOptions) {
        self.target = target
        self.options = options
        let look = LogStyle(isColoured: options.isColoured)
        self.look = look
        allWords = dialects.map {
            DialectWords(
                $0, .log, showsSecrets: options.showsSecrets, options.anonymiser, look: look)
        }
        words = allWords[0]
        switch options.times {
        case .clock: times = TimeWriter(.clock)
        case .relative: times = TimeWriter(.relative)
        case .full: times = TimeWriter(.full)
        }
    }

    // MARK: Lines

    /// The lines that follow are of another dialect.
    package mutating func turn(to dialect: Int) {
        words = allWords[dialect]
        known.dialect = dialect
    }

    /// A line, decoded.
    @inline(__always)
    package mutating func line(
        _ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>
    ) {
        begin(line.connection, line.direction, line.packet)
        let start = buffer.count
        if let command = message.command, !line.marks.contains(.headMissing) {
            appendCall(command, message, in: bytes)
        } else {
            appendRaw(line, message, in: bytes)
        }
        if !line.marks.isEmpty || line.breaksDialect || !message.issues.isEmpty
            || line.frame.payload != nil
        {
            appendRemarks(line, message, in: bytes)
        } else if line.maySoonComeAgain(message), options.anonymiser == nil {
            known.remember(line.frame.line, in: bytes, as: buffer, from: start)
        }
        endLine()
    }

    /// A line that was there before, from the server.
    @inline(__always)
    package mutating func lineAgain(
        _ frame: Frame, _ connection: Connection, _ packet: PacketInfo, in bytes: Span<UInt8>
    ) -> Bool {
        guard let place = known.find(frame.line, in: bytes) else { return false }
        begin(connection, .fromServer, packet)
        known.append(place, to: &buffer)
        endLine()
        return true
    }

    @inline(__always)
    private mutating func appendCall(_ command: Int, _ message: Message, in bytes: Span<UInt8>) {
        words.texts.append(name: command, to: &buffer)
        words.appendArguments(of: command, message, in: bytes, to: &buffer)
        buffer.append(0x29)
    }

    /// The text of a line that is no command.
    @inline(never)
    private mutating func appendRaw(
        _ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>
    ) {
        if line.marks.contains(.headMissing) { buffer.append("…") }
        let isHidden =
            options.anonymiser != nil
            || words.texts.mayHoldSecret(message, words.commands, in: bytes)
            || line.marks.contains(.headMissing) && line.direction == .fromClient
                && words.texts.dialectHasSecrets
        if isHidden {
            buffer.append("(")
            buffer.append(magnitude: UInt64(line.frame.line.count))
            buffer.append(" bytes masked)")
        } else {
            appendShown(bytes.extracting(line.frame.line))
        }
    }

    private mutating func appendShown(_ bytes: Span<UInt8>) {
        buffer.append(quoted: bytes.extracting(first: min(bytes.count, Self.shownBytesMax)), .log)
        guard bytes.count > Self.shownBytesMax else { return }
        buffer.append("… and ")
        buffer.append(magnitude: UInt64(bytes.count - Self.shownBytesMax))
        buffer.append(" bytes more")
    }

    /// What is to be said of a line besides.
    @inline(never)
    private mutating func appendRemarks(
        _ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>
    ) {
        let signature = message.command.map { words.commands.signatures[$0] }
        if let payload = line.frame.payload, signature?.payloadArgument == nil {
            buffer.append("  + ")
            if options.anonymiser == nil {
                appendShown(bytes.extracting(payload))
            } else {
                buffer.append("(masked)")
            }
        }
        if line.marks.contains(.tailMissing) { appendRemark("the end was not captured") }
        if line.marks.contains(.headMissing) { appendRemark("the start was not captured") }
        if line.marks.contains(.headUncertain) { appendRemark("the start may be missing") }
        guard line.breaksDialect else { return }
        for words in words.schema.breaks(line.frame, message) { appendBreak(words) }
    }

    private mutating func appendRemark(_ text: StaticString) {
        buffer.append("  ")
        buffer.append(look.dim)
        buffer.append("~ ")
        buffer.append(text)
        buffer.append(look.plain)
    }

    private mutating func appendBreak(_ text: String) {
        buffer.append("  ")
        buffer.append(look.wrong)
        buffer.append("! ")
        buffer.append(text: text)
        buffer.append(look.plain)
    }

    // MARK: The start and the end of each line

    @inline(__always)
    private mutating func begin(
        _ connection: Connection, _ direction: Direction?, _ packet: PacketInfo
    ) {
        if options.times == .clock, times.entersDay(packet.time) { appendDay() }
        lineStart = buffer.count
        if options.isColoured { buffer.append(look.dim) }
        times.append(packet.time, to: &buffer)
        if options.isColoured { buffer.append(look.plain) }
        if connection.leads.isEmpty { makeLeads(connection) }
        switch direction {
        case .fromClient: connection.leads.append(.fromClient, to: &buffer)
        case .fromServer: connection.leads.append(.fromServer, to: &buffer)
        case nil: appendLead(connection, "·", look.dim, to: &buffer)
        }
    }

    private mutating func appendDay() {
        guard let day = times.day else { return }
        buffer.append(look.dim)
        buffer.append("--- ")
        buffer.append(text: TimeWriter.date(day))
        buffer.append(" UTC")
        buffer.append(look.plain)
        buffer.append("\n")
    }

    /// Works out what stands between the time and the text of the connection's lines.
    @inline(never)
    private func makeLeads(_ connection: Connection) {
        var lead = TextBuffer(capacity: 256)
        appendLead(connection, "→", look.sent, to: &lead)
        let fromClient = lead.bytes
        lead.removeAll()
        appendLead(connection, "←", look.received, to: &lead)
        connection.leads = LineLeads(fromClient: fromClient, fromServer: lead.bytes)
    }

    private func appendLead(
        _ connection: Connection, _ arrow: StaticString, _ colour: StaticString,
        to buffer: inout TextBuffer
    ) {
        var digits = 1
        var bound = 10
        while digits < 18, connection.number >= bound {
            digits += 1
            bound *= 10
        }
        buffer.append(blanks: 2 + max(0, 2 - digits))
        buffer.append("#")
        buffer.append(decimal: Int64(connection.number))
        buffer.append(" ")
        let known = connection.operatorName
        let name = options.anonymiser.map { $0.name(known) } ?? known
        var columns = 0
        if !name.isEmpty {
            buffer.append(look.name)
            columns = appendName(name, to: &buffer)
            buffer.append(look.plain)
        }
        buffer.append(blanks: Self.nameColumnsMin - columns)
        buffer.append(" ")
        buffer.append(colour)
        buffer.append(arrow)
        buffer.append(look.plain)
        buffer.append(" ")
    }

    /// Appends as much of a name as is shown; returns the columns it takes.
    private func appendName(_ name: [UInt8], to buffer: inout TextBuffer) -> Int {
        let start = buffer.count
        var shown = min(name.count, Self.nameBytesMax)
        // Not in the middle of a character.
        while shown < name.count, shown > Self.nameBytesMax - 3, name[shown] & 0xC0 == 0x80 {
            shown -= 1
        }
        buffer.append(escaped: name.span.extracting(first: shown), .log)
        if name.count > Self.nameBytesMax { buffer.append("…") }
        let count = buffer.count - start
        return name.count <= Self.nameBytesMax && name.allSatisfy { $0 < 0x80 }
            ? count
            : LogWrapping.columns(String(decoding: buffer.bytes(from: start), as: UTF8.self))
    }

    @inline(__always)
    private mutating func endLine() {
        if let columns = options.columns { wrap(columns) }
        buffer.append(0x0A)
        if buffer.count >= Self.gatheredBytesMax { flush() }
    }

    /// Breaks the line that was written last into rows.
    @inline(never)
    private mutating func wrap(_ columns: Int) {
        guard let rows = LogWrapping.wrapped(buffer.bytes(from: lineStart), columns: columns)
        else { return }
        buffer.count = lineStart
        buffer.append(rows)
    }

    /// Hands on what was gathered.
    package mutating func flush() {
        guard buffer.count > 0 else { return }
        unsafe buffer.withBytes { unsafe target.write($0) }
        buffer.removeAll()
    }

    // MARK: Events

    /// A connection was seen for the first time.
    package mutating func opened(_ connection: Connection, _ packet: PacketInfo) {
        begin(connection, nil, packet)
        buffer.append(look.dim)
        buffer.append(text: connection.startWasSeen ? "opened " : "seen ")
        buffer.append(text: "\(text(connection.client)) → \(text(connection.server))")
        let vlans = connection.vlans.map(String.init).joined(separator: ".")
        if !vlans.isEmpty { buffer.append(text: " in VLAN \(vlans)") }
        buffer.append(look.plain)
        endLine()
    }

    private func text(_ end: Endpoint) -> String {
        options.anonymiser?.endpoint(end) ?? end.text
    }

    /// Something else has happened.
    package mutating func note(
        _ note: ConversationNote, _ connection: Connection, _ direction: Direction?,
        _ packet: PacketInfo
    ) {
        guard let words = LogStyle.words(note, direction) else { return }
        begin(connection, nil, packet)
        buffer.append(words.isTrouble ? look.warning : look.dim)
        buffer.append(text: words.text)
        buffer.append(look.plain)
        endLine()
    }

    /// A connection is over.
    package mutating func ended(
        _ connection: Connection, _ end: ConnectionEnd, _ packet: PacketInfo
    ) {
        begin(connection, nil, packet)
        buffer.append(look.dim)
        buffer.append(text: LogStyle.words(end))
        buffer.append(look.plain)
        endLine()
    }

    /// Nothing more is at hand for now.
    package mutating func pause() { flush() }

    /// The capture is over.
    package mutating func finish() { flush() }

    /// Decodes what is left of a capture.
    package static func decode(
        _ decoder: inout CaptureDecoder<LogWriter>, until isStopped: () -> Bool
    ) throws(CaptureError) {
        while !isStopped(), try decoder.next() {}
    }
}
