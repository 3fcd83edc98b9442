package import LineProtocol

/// A sink that writes a conversation as JSON Lines, one object per event. The `event` field
/// contains the kind of event.
package struct JSONLinesWriter: SpecialisedSink {
    static var bufferedBytesMax: Int { 1 << 16 }

    /// The sink that receives the output.
    package private(set) var target: any TextSink
    private var buffer = TextBuffer()
    private var formatter: DialectFormatter
    private let formatters: [DialectFormatter]
    private let names: [String]
    private let secrets: SecretFinder?
    private let anonymiser: Anonymiser?
    private var times = TimeWriter(.full)
    private var known = RepeatedLines()
    /// The `file` member of each file's events; empty if there is only one file.
    private let files: [[UInt8]]

    package init(
        _ target: some TextSink, _ dialect: Dialect, showsSecrets: Bool,
        anonymiser: Anonymiser? = nil
    ) {
        self.init(target, [dialect], showsSecrets: showsSecrets, anonymiser: anonymiser)
    }

    /// - Precondition: `dialects` is not empty.
    /// - Parameter files: Names of the files by index; empty if there is only one.
    /// - Parameter secrets: Receives the secrets of masked lines; nil to ignore them.
    package init(
        _ target: some TextSink, _ dialects: [Dialect], showsSecrets: Bool,
        secrets: SecretFinder? = nil, anonymiser: Anonymiser? = nil, files: [String] = []
    ) {
        self.secrets = secrets
        self.target = target
        self.files = files.map { Array(",\"file\":\(CommandTexts.jsonString($0))".utf8) }
        self.anonymiser = anonymiser
        names = dialects.map(\.name)
        formatters = dialects.map {
            DialectFormatter($0, .json, showsSecrets: showsSecrets, anonymiser)
        }
        formatter = formatters[0]
    }

    package mutating func switchDialect(to dialect: Int) {
        formatter = formatters[dialect]
        known.dialect = dialect
        secrets?.switchDialect(to: dialect)
    }

    // MARK: Lines

    @inline(__always)
    package mutating func line(
        _ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>
    ) {
        beginLine(line.connection, line.half, from: line.direction, line.packet)
        let start = buffer.count
        let isCommand = message.command != nil && !line.marks.contains(.headMissing)
        let isMasked: Bool
        let isPlain = TextBuffer.isPlain(line.frame.line, of: bytes)
        if isCommand, let command = message.command {
            let masksArguments = appendCall(
                command, message, in: bytes, plain: isPlain ? line.frame.line : 0..<0)
            isMasked =
                masksArguments
                || formatter.texts.hasSecretKey(line, message, in: bytes)
        } else {
            isMasked = mayHoldSecret(line, message, in: bytes)
        }
        if isMasked { secrets?.find(in: line, bytes) }
        if isMasked || anonymiser != nil {
            buffer.append(",\"masked\":true")
        } else {
            buffer.append(",\"line\":")
            if isPlain {
                buffer.append(quotedPlain: line.frame.line, of: bytes)
            } else {
                buffer.append(json: bytes.extracting(line.frame.line))
            }
        }
        if let payload = line.frame.payload, anonymiser == nil, !isMasked {
            buffer.append(",\"payload\":")
            buffer.append(json: bytes.extracting(payload))
        }
        if !line.marks.isEmpty || line.breaksDialect {
            appendNotes(line, message)
        } else if line.isRepeatable(message), anonymiser == nil {
            known.remember(line.frame.line, in: bytes, as: buffer, from: start)
        }
        end()
    }

    @inline(__always)
    package mutating func repeatedLine(
        _ frame: Frame, of connection: CapturedConnection, _ half: HalfStream,
        _ packet: PacketInfo, in bytes: Span<UInt8>
    ) -> Bool {
        guard let slot = known.find(frame.line, in: bytes) else { return false }
        beginLine(connection, half, from: .fromServer, packet)
        known.append(slot, to: &buffer)
        end()
        return true
    }

    @inline(__always)
    private mutating func beginLine(
        _ connection: CapturedConnection, _ half: HalfStream, from direction: Direction,
        _ packet: PacketInfo
    ) {
        beginEvent("line", packet)
        if anonymiser != nil {
            appendOrigin(connection, direction, to: &buffer)
            return
        }
        if !half.record.appendPrefix(direction, to: &buffer) {
            makePrefixes(connection)
            _ = half.record.appendPrefix(direction, to: &buffer)
        }
    }

    /// Builds and caches the text between the packet number and the command, which is the same for
    /// all lines that a connection sends in one direction.
    @inline(never)
    private func makePrefixes(_ connection: CapturedConnection) {
        var prefix = TextBuffer(capacity: 256)
        appendOrigin(connection, .fromClient, to: &prefix)
        let fromClient = prefix.bytes
        prefix.removeAll()
        appendOrigin(connection, .fromServer, to: &prefix)
        connection.record.setPrefixes(fromClient: fromClient, fromServer: prefix.bytes)
    }

    @inline(never)
    private func appendOrigin(
        _ connection: CapturedConnection, _ direction: Direction, to buffer: inout TextBuffer
    ) {
        Self.append(connection, to: &buffer)
        Self.append(direction, to: &buffer)
        let name = connection.conversation.operatorName
        if !name.isEmpty { append(operatorName: name, to: &buffer) }
    }

    /// Appends a command and its arguments. Returns whether an argument was masked.
    @_optimize(speed)
    @inline(__always)
    private mutating func appendCall(
        _ command: Int, _ message: Message, in bytes: Span<UInt8>, plain: Range<Int>
    ) -> Bool {
        formatter.texts.append(head: command, to: &buffer)
        let isMasked = formatter.appendArguments(
            of: command, message, in: bytes, plain: plain, to: &buffer)
        buffer.append(0x7D)
        return isMasked
    }

    /// Returns whether a line that is not shown as a command may contain a secret.
    @inline(never)
    private func mayHoldSecret(
        _ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>
    ) -> Bool {
        formatter.texts.holdsSecret(message, in: bytes)
            || formatter.texts.hasSecretKey(line, message, in: bytes)
            || message.command == nil
                && formatter.texts.mayHoldSecret(message, formatter.commands, in: bytes)
            || line.marks.contains(.headMissing) && line.direction == .fromClient
                && formatter.texts.dialectHasSecrets
    }

    @inline(never)
    private mutating func appendNotes(_ line: CapturedLine, _ message: Message) {
        var missing: [String] = []
        if line.marks.contains(.headMissing) { missing.append("head") }
        if line.marks.contains(.headUncertain) { missing.append("perhaps-head") }
        if line.marks.contains(.tailMissing) { missing.append("tail") }
        if !missing.isEmpty { append("missing", missing) }
        if line.marks.contains(.afterReset) { buffer.append(",\"afterReset\":true") }
        guard line.breaksDialect else { return }
        append("breaks", formatter.schema.breaks(line.frame, message))
    }

    // MARK: Parts

    private func append(operatorName name: [UInt8], to buffer: inout TextBuffer) {
        buffer.append(",\"operator\":")
        if let anonymiser {
            buffer.append(json: anonymiser.name(name).span)
        } else {
            buffer.append(json: name.span)
        }
    }

    private mutating func begin(
        _ event: StaticString, _ connection: CapturedConnection, _ packet: PacketInfo
    ) {
        beginEvent(event, packet)
        Self.append(connection, to: &buffer)
    }

    @inline(__always)
    private mutating func beginEvent(_ event: StaticString, _ packet: PacketInfo) {
        buffer.append("{\"event\":\"")
        buffer.append(event)
        if packet.time != CaptureRecord.timeUnknown {
            buffer.append("\",\"time\":\"")
            times.append(packet.time, to: &buffer)
        }
        buffer.append("\",\"packet\":")
        buffer.append(magnitude: UInt64(packet.number))
        if !files.isEmpty { buffer.append(files[packet.file]) }
    }

    private static func append(_ connection: CapturedConnection, to buffer: inout TextBuffer) {
        buffer.append(",\"connection\":")
        buffer.append(magnitude: UInt64(connection.number))
    }

    private static func append(_ direction: Direction, to buffer: inout TextBuffer) {
        if direction == .fromClient {
            buffer.append(",\"from\":\"client\"")
        } else {
            buffer.append(",\"from\":\"server\"")
        }
    }

    private mutating func append(key: StaticString) {
        buffer.append(",\"")
        buffer.append(key)
        buffer.append("\":")
    }

    private mutating func append(_ key: StaticString, _ text: String) {
        append(key: key)
        buffer.append(json: Array(text.utf8).span)
    }

    private mutating func append(_ key: StaticString, _ end: IPEndpoint) {
        append(key: key)
        buffer.append(0x22)
        buffer.append(end, anonymiser)
        buffer.append(0x22)
    }

    private mutating func append(_ key: StaticString, _ texts: [String]) {
        append(key: key)
        buffer.append("[")
        for (index, text) in texts.enumerated() {
            if index > 0 { buffer.append(",") }
            buffer.append(json: Array(text.utf8).span)
        }
        buffer.append("]")
    }

    private mutating func append(_ key: StaticString, _ number: Int) {
        append(key: key)
        buffer.append(decimal: Int64(number))
    }

    @inline(__always)
    private mutating func end() {
        buffer.append("}\n")
        if buffer.count >= Self.bufferedBytesMax { flush() }
    }

    /// Writes the buffered text to the target.
    package mutating func flush() { buffer.flush(to: &target) }

    // MARK: Events

    package mutating func opened(_ connection: CapturedConnection, _ packet: PacketInfo) {
        begin("opened", connection, packet)
        append("client", connection.client)
        append("server", connection.server)
        if !connection.vlans.isEmpty {
            buffer.append(",\"vlans\":[")
            for (index, vlan) in connection.vlans.enumerated() {
                if index > 0 { buffer.append(",") }
                buffer.append(decimal: Int64(vlan))
            }
            buffer.append("]")
        }
        if !connection.startWasSeen { buffer.append(",\"midstream\":true") }
        if !connection.isAccepted { buffer.append(",\"accepted\":false") }
        if names.count > 1, let index = connection.dialect { append("dialect", names[index]) }
        end()
    }

    package mutating func note(
        _ note: ConversationNote, _ connection: CapturedConnection, _ direction: Direction?,
        _ packet: PacketInfo
    ) {
        switch note {
        case .gap(let gap):
            begin("gap", connection, packet)
            append("bytes", gap.count)
            append("reason", gap.reason.rawValue)
        case .conflict(let conflict):
            begin("conflict", connection, packet)
            append("bytes", conflict.count)
            append("counts", conflict.prefersLastCopy ? "last" : "first")
        case .halfClosed: begin("half-closed", connection, packet)
        case .encrypted: begin("encrypted", connection, packet)
        case .decrypted: begin("decrypted", connection, packet)
        case .undecrypted(let problem):
            begin("undecrypted", connection, packet)
            append("reason", problem.word)
            if case .unsupported(let name) = problem { append("cipher", name) }
        case .compressed: begin("compressed", connection, packet)
        case .outOfStep: begin("out-of-step", connection, packet)
        case .lineCut: begin("line-cut", connection, packet)
        case .named(let name):
            begin("named", connection, packet)
            append(operatorName: name, to: &buffer)
        case .proxied(let client):
            begin("proxied", connection, packet)
            if let client { append("client", client) }
        case .handshake(let details):
            begin("handshake", connection, packet)
            append(details)
        case .speaks(let dialect):
            begin("speaks", connection, packet)
            append("dialect", dialect)
        }
        if let direction { Self.append(direction, to: &buffer) }
        end()
    }

    /// Appends the details of a TLS handshake. Names of servers are left out if the output is
    /// anonymised.
    private mutating func append(_ details: TLSDetails) {
        if let version = details.version { append("version", version) }
        func names(_ key: StaticString, _ values: [[UInt8]]) {
            guard !values.isEmpty else { return }
            buffer.append(",\"")
            buffer.append(key)
            buffer.append("\":[")
            for (index, value) in values.enumerated() {
                if index > 0 { buffer.append(",") }
                buffer.append(json: value.span)
            }
            buffer.append("]")
        }
        if anonymiser == nil, let name = details.serverName {
            buffer.append(",\"serverName\":")
            buffer.append(json: name.span)
        }
        names("protocols", details.protocols)
        if anonymiser == nil { names("certificateNames", details.certificateNames) }
    }

    package mutating func ended(
        _ connection: CapturedConnection, _ end: ConnectionEnd, _ packet: PacketInfo
    ) {
        begin("ended", connection, packet)
        append("reason", end == .captureEnd ? "capture-end" : end.rawValue)
        if let side = connection.resetBy { Self.append(side, to: &buffer) }
        self.end()
    }

    package mutating func pause() { flush() }

    package mutating func finish() { flush() }

    @_optimize(speed)
    package static func decode(
        _ decoder: inout CaptureDecoder<JSONLinesWriter>, until isStopped: () -> Bool
    ) throws(CaptureError) {
        while !isStopped(), try decoder.next() {}
    }
}
