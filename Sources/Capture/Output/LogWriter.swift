package import LineProtocol

/// A sink that writes a conversation as a log with one line per event:
///
///     12:34:56.123456  #1 alice       → privmsg(target: "#room", text: "Hello")
///
/// Everything is escaped, so the log cannot contain terminal control sequences from the capture.
package struct LogWriter: SpecialisedSink {
    /// Buffer size that triggers a write.
    static var bufferedBytesMax: Int { 1 << 16 }

    /// The sink that receives the output.
    package private(set) var target: any TextSink
    var buffer = TextBuffer()
    private var formatter: DialectFormatter
    private let formatters: [DialectFormatter]
    private let options: LogOptions
    private let look: LogStyle
    let connections: ConnectionText
    private var times: TimeWriter
    /// Offset of the current line in the buffer.
    private var lineStart = 0
    private var known = RepeatedLines()

    package init(_ target: some TextSink, _ dialect: Dialect, _ options: LogOptions) {
        self.init(target, [dialect], options)
    }

    /// - Precondition: `dialects` is not empty.
    package init(_ target: some TextSink, _ dialects: [Dialect], _ options: LogOptions) {
        self.target = target
        self.options = options
        let look = LogStyle(isColoured: options.isColoured)
        self.look = look
        connections = ConnectionText(anonymiser: options.anonymiser, look: look)
        formatters = dialects.map {
            DialectFormatter(
                $0, .log, showsSecrets: options.showsSecrets, options.anonymiser, look: look)
        }
        formatter = formatters[0]
        times = TimeWriter(options.times)
    }

    package mutating func started(at time: Int64) { times.start(at: time) }

    // MARK: Lines

    package mutating func switchDialect(to dialect: Int) {
        formatter = formatters[dialect]
        known.dialect = dialect
        options.secrets?.switchDialect(to: dialect)
    }

    @inline(__always)
    package mutating func line(
        _ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>
    ) {
        begin(line.connection, line.half, from: line.direction, line.packet)
        let start = buffer.count
        if !appendText(line, message, in: bytes), line.isRepeatable(message),
            options.anonymiser == nil
        {
            known.remember(line.frame.line, in: bytes, as: buffer, from: start)
        }
        endLine()
    }

    /// Appends a line without its time and origin. Returns whether it has notes.
    @_optimize(speed)
    @inline(__always)
    @discardableResult
    mutating func appendText(
        _ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>
    ) -> Bool {
        if let command = message.command, !line.marks.contains(.headMissing) {
            appendCall(command, line, message, in: bytes)
        } else {
            appendRaw(line, message, in: bytes)
        }
        guard
            !line.marks.isEmpty || line.breaksDialect || !message.issues.isEmpty
                || line.frame.payload != nil
        else { return false }
        appendNotes(line, message, in: bytes)
        return true
    }

    @inline(__always)
    package mutating func repeatedLine(
        _ frame: Frame, of connection: CapturedConnection, _ half: HalfStream,
        _ packet: PacketInfo, in bytes: Span<UInt8>
    ) -> Bool {
        guard let slot = known.find(frame.line, in: bytes) else { return false }
        begin(connection, half, from: .fromServer, packet)
        known.append(slot, to: &buffer)
        endLine()
        return true
    }

    @inline(__always)
    private mutating func appendCall(
        _ command: Int, _ captured: CapturedLine, _ message: Message, in bytes: Span<UInt8>
    ) {
        formatter.texts.append(head: command, to: &buffer)
        let line = captured.frame.line
        let isPlain = line.count <= TextBuffer.shownBytesMax && TextBuffer.isPlain(line, of: bytes)
        let plain = isPlain ? line : 0..<0
        let isMasked = formatter.appendArguments(
            of: command, message, in: bytes, plain: plain, to: &buffer)
        if isMasked || formatter.texts.hasSecretKey(captured, message, in: bytes) {
            options.secrets?.find(in: captured, bytes)
        }
        buffer.append(0x29)
    }

    /// Appends the text of a line that is not a known command.
    @inline(never)
    private mutating func appendRaw(
        _ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>
    ) {
        if line.marks.contains(.headMissing) { buffer.append("…") }
        let isHidden =
            options.anonymiser != nil
            || formatter.texts.mayHoldSecret(message, formatter.commands, in: bytes)
            || formatter.texts.hasSecretKey(line, message, in: bytes)
            || line.marks.contains(.headMissing) && line.direction == .fromClient
                && formatter.texts.dialectHasSecrets
        if isHidden {
            buffer.append("(")
            buffer.append(magnitude: UInt64(line.frame.line.count))
            buffer.append(" bytes masked)")
        } else {
            buffer.append(shown: bytes.extracting(line.frame.line))
        }
    }

    /// Appends the payload, if any, and notes about missing parts and violations.
    @inline(never)
    private mutating func appendNotes(
        _ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>
    ) {
        let signature = message.command.map { formatter.commands.signatures[$0] }
        if let payload = line.frame.payload, signature?.payloadArgument == nil {
            buffer.append("  + ")
            if options.anonymiser == nil, !formatter.texts.holdsSecret(message, in: bytes) {
                buffer.append(shown: bytes.extracting(payload))
            } else {
                buffer.append("(masked)")
            }
        }
        if line.marks.contains(.tailMissing) { appendNote("the end was not captured") }
        if line.marks.contains(.headMissing) { appendNote("the start was not captured") }
        if line.marks.contains(.headUncertain) { appendNote("the start may be missing") }
        if line.marks.contains(.afterReset) { appendNote("after the reset") }
        guard line.breaksDialect else { return }
        for words in formatter.schema.breaks(line.frame, message) { appendBreak(words) }
    }

    private mutating func appendNote(_ text: StaticString) {
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

    // MARK: Start and end of lines

    /// Starts a line of the conversation.
    @inline(__always)
    private mutating func begin(
        _ connection: CapturedConnection, _ half: HalfStream, from direction: Direction,
        _ packet: PacketInfo
    ) {
        beginTime(packet)
        if !half.record.appendPrefix(direction, to: &buffer) {
            connections.cachePrefixes(connection)
            _ = half.record.appendPrefix(direction, to: &buffer)
        }
    }

    /// Starts a line that describes another event.
    private mutating func beginEvent(_ connection: CapturedConnection, _ packet: PacketInfo) {
        beginTime(packet)
        connections.append(connection, "·", look.dim, to: &buffer)
    }

    @inline(__always)
    private mutating func beginTime(_ packet: PacketInfo) {
        if options.times == .clock, times.entersDay(packet.time) { appendDay() }
        lineStart = buffer.count
        if options.isColoured { buffer.append(look.dim) }
        times.append(packet.time, to: &buffer)
        if options.isColoured { buffer.append(look.plain) }
    }

    private mutating func appendDay() {
        guard let day = times.day else { return }
        buffer.append(look.dim)
        buffer.append("--- ")
        buffer.append(text: CalendarDate(days: Int(day)).description)
        buffer.append(" UTC")
        buffer.append(look.plain)
        buffer.append("\n")
    }

    /// Appends the connection and the direction of a line.
    mutating func appendOrigin(_ connection: CapturedConnection, _ direction: Direction) {
        connections.append(
            connection, direction == .fromClient ? "→" : "←", "", to: &buffer)
    }

    @inline(__always)
    private mutating func endLine() {
        if let columns = options.columns { wrap(columns) }
        buffer.append(0x0A)
        if buffer.count >= Self.bufferedBytesMax { flush() }
    }

    /// Wraps the current line.
    @inline(never)
    private mutating func wrap(_ columns: Int) {
        guard let rows = LogWrapping.wrapped(buffer.bytes(from: lineStart), columns: columns)
        else { return }
        buffer.count = lineStart
        buffer.append(rows)
    }

    /// Writes the buffered text to the target.
    package mutating func flush() { buffer.flush(to: &target) }

    // MARK: Events

    package mutating func opened(_ connection: CapturedConnection, _ packet: PacketInfo) {
        beginEvent(connection, packet)
        buffer.append(look.dim)
        connections.appendOpening(of: connection, to: &buffer)
        buffer.append(look.plain)
        endLine()
    }

    package mutating func note(
        _ note: ConversationNote, _ connection: CapturedConnection, _ direction: Direction?,
        _ packet: PacketInfo
    ) {
        guard let words = words(note, direction) else { return }
        beginEvent(connection, packet)
        buffer.append(words.isTrouble ? look.warning : look.dim)
        buffer.append(text: words.text)
        buffer.append(look.plain)
        endLine()
    }

    /// Returns the description of an event; nil if the event is not logged.
    func words(
        _ note: ConversationNote, _ direction: Direction?
    ) -> (text: String, isTrouble: Bool)? {
        if case .proxied(let client) = note {
            return (
                client.map { "proxied for \($0.text(options.anonymiser))" }
                    ?? "opened by a proxy for itself", false
            )
        }
        if options.anonymiser != nil, case .handshake(let details) = note {
            return LogStyle.words(
                .handshake(TLSDetails(version: details.version, protocols: details.protocols)), nil)
        }
        return LogStyle.words(note, direction)
    }

    package mutating func ended(
        _ connection: CapturedConnection, _ end: ConnectionEnd, _ packet: PacketInfo
    ) {
        beginEvent(connection, packet)
        buffer.append(look.dim)
        buffer.append(text: LogStyle.words(end, connection.resetBy))
        buffer.append(look.plain)
        endLine()
    }

    package mutating func pause() { flush() }

    package mutating func finish() { flush() }

    @_optimize(speed)
    package static func decode(
        _ decoder: inout CaptureDecoder<LogWriter>, until isStopped: () -> Bool
    ) throws(CaptureError) {
        while !isStopped(), try decoder.next() {}
    }
}
