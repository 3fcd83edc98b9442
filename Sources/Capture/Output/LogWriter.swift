package import LineProtocol

/// A sink that writes a conversation as a log with one line per event:
///
///     12:34:56.123456  #1 alice       → privmsg(target: "#room", text: "Hello")
///
/// Everything is escaped, so the log cannot contain terminal control sequences from the capture.
package struct LogWriter: SpecialisedSink {
    /// Buffer size that triggers a write.
    static var bufferedBytesMax: Int { 1 << 16 }
    /// Minimum width of an operator's name, in columns.
    static var nameColumnsMin: Int { 10 }
    static var nameBytesMax: Int { 24 }

    /// The sink that receives the output.
    package private(set) var target: any TextSink
    var buffer = TextBuffer()
    private var formatter: DialectFormatter
    private let formatters: [DialectFormatter]
    private let options: LogOptions
    private let look: LogStyle
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
        formatters = dialects.map {
            DialectFormatter(
                $0, .log, showsSecrets: options.showsSecrets, options.anonymiser, look: look)
        }
        formatter = formatters[0]
        times = TimeWriter(for: options.times)
    }

    package mutating func started(at time: Int64) { times.start(at: time) }

    // MARK: Lines

    package mutating func switchDialect(to dialect: Int) {
        formatter = formatters[dialect]
        known.dialect = dialect
    }

    @inline(__always)
    package mutating func line(
        _ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>
    ) {
        begin(line.connection, line.direction, line.packet)
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
            appendCall(command, message, line.frame.line, in: bytes)
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
        _ frame: Frame, _ connection: CapturedConnection, _ packet: PacketInfo,
        in bytes: Span<UInt8>
    ) -> Bool {
        guard let slot = known.find(frame.line, in: bytes) else { return false }
        begin(connection, .fromServer, packet)
        known.append(slot, to: &buffer)
        endLine()
        return true
    }

    @inline(__always)
    private mutating func appendCall(
        _ command: Int, _ message: Message, _ line: Range<Int>, in bytes: Span<UInt8>
    ) {
        formatter.texts.append(head: command, to: &buffer)
        let isPlain = line.count <= TextBuffer.shownBytesMax && TextBuffer.isPlain(line, of: bytes)
        let plain = isPlain ? line : 0..<0
        formatter.appendArguments(
            of: command, message, in: bytes, plain: plain, to: &buffer)
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

    @inline(__always)
    private mutating func begin(
        _ connection: CapturedConnection, _ direction: Direction?, _ packet: PacketInfo
    ) {
        if options.times == .clock, times.entersDay(packet.time) { appendDay() }
        lineStart = buffer.count
        if options.isColoured { buffer.append(look.dim) }
        times.append(packet.time, to: &buffer)
        if options.isColoured { buffer.append(look.plain) }
        if connection.prefixes.isEmpty { makePrefixes(connection) }
        switch direction {
        case .fromClient: connection.prefixes.append(.fromClient, to: &buffer)
        case .fromServer: connection.prefixes.append(.fromServer, to: &buffer)
        case nil: appendPrefix(connection, "·", look.dim, to: &buffer)
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

    /// Builds and caches the text between the time and the message, which is the same for all lines
    /// that a connection sends in one direction.
    @inline(never)
    private func makePrefixes(_ connection: CapturedConnection) {
        var prefix = TextBuffer(capacity: 256)
        appendPrefix(connection, "→", look.sent, to: &prefix)
        let fromClient = prefix.bytes
        prefix.removeAll()
        appendPrefix(connection, "←", look.received, to: &prefix)
        connection.prefixes = LinePrefixes(fromClient: fromClient, fromServer: prefix.bytes)
    }

    /// Appends the connection and the direction of a line.
    mutating func appendOrigin(_ connection: CapturedConnection, _ direction: Direction) {
        appendPrefix(connection, direction == .fromClient ? "→" : "←", "", to: &buffer)
    }

    private func appendPrefix(
        _ connection: CapturedConnection, _ arrow: StaticString, _ colour: StaticString,
        to buffer: inout TextBuffer
    ) {
        var digits = 1
        var bound = 10
        while digits < 18, connection.number >= bound {
            digits += 1
            bound *= 10
        }
        buffer.append(spaces: 2 + max(0, 2 - digits))
        buffer.append("#")
        buffer.append(decimal: Int64(connection.number))
        buffer.append(" ")
        let columns = appendName(of: connection, to: &buffer)
        buffer.append(spaces: Self.nameColumnsMin - columns)
        buffer.append(" ")
        buffer.append(colour)
        buffer.append(arrow)
        buffer.append(look.plain)
        buffer.append(" ")
    }

    /// Appends the operator's name, truncated if necessary, and returns its width in columns.
    func appendName(of connection: CapturedConnection, to buffer: inout TextBuffer) -> Int {
        let known = connection.operatorName
        let name = options.anonymiser.map { $0.name(known) } ?? known
        guard !name.isEmpty else { return 0 }
        buffer.append(look.name)
        defer { buffer.append(look.plain) }
        let start = buffer.count
        var shown = min(name.count, Self.nameBytesMax)
        // Do not truncate the name in the middle of a character.
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
        begin(connection, nil, packet)
        buffer.append(look.dim)
        buffer.append(text: words(opening: connection))
        buffer.append(look.plain)
        endLine()
    }

    package mutating func note(
        _ note: ConversationNote, _ connection: CapturedConnection, _ direction: Direction?,
        _ packet: PacketInfo
    ) {
        guard let words = words(note, direction) else { return }
        begin(connection, nil, packet)
        buffer.append(words.isTrouble ? look.warning : look.dim)
        buffer.append(text: words.text)
        buffer.append(look.plain)
        endLine()
    }

    /// Returns the description of a connection that opens.
    func words(opening connection: CapturedConnection) -> String {
        let isOpen = connection.isAccepted
        let start =
            connection.startWasSeen ? (isOpen ? "opened " : "connecting ") : "already open "
        let vlans = connection.vlans.map(String.init).joined(separator: ".")
        return start + "\(text(connection.client)) → \(text(connection.server))"
            + (vlans.isEmpty ? "" : " in VLAN \(vlans)")
    }

    /// Returns the description of an event; nil if the event is not logged.
    func words(
        _ note: ConversationNote, _ direction: Direction?
    ) -> (text: String, isTrouble: Bool)? {
        if case .proxied(let client) = note {
            return (
                client.map { "proxied for \(text($0))" } ?? "opened by a proxy for itself", false
            )
        }
        if options.anonymiser != nil, case .handshake(let details) = note {
            return LogStyle.words(
                .handshake(TLSDetails(version: details.version, protocols: details.protocols)), nil)
        }
        return LogStyle.words(note, direction)
    }

    /// Returns the endpoint as text, with a pseudonym if the output is anonymised.
    func text(_ end: IPEndpoint) -> String {
        options.anonymiser?.endpoint(end) ?? end.text
    }

    package mutating func ended(
        _ connection: CapturedConnection, _ end: ConnectionEnd, _ packet: PacketInfo
    ) {
        begin(connection, nil, packet)
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
