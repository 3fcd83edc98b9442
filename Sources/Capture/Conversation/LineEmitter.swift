import DialectModel
import LineProtocol

/// An emitter that decodes and checks lines, and passes them to a sink.
struct LineEmitter<Sink: ConversationSink> {
    var sink: Sink
    var counts = ConversationCounts()
    private var decoder: MessageDecoder
    private var schema: SchemaCheck
    private var names: OperatorNames
    /// Framers for dialects in which blocks depend on the other direction; nil for other dialects.
    private var blocks: BlockFramers?
    private var message = Message()

    init(_ sink: Sink, _ bound: BoundDialect) {
        let dialect = bound.dialect
        self.sink = sink
        decoder = MessageDecoder(dialect)
        schema = SchemaCheck(dialect)
        names = OperatorNames(bound)
        blocks = BlockFramers(dialect)
        tracksRequests = blocks != nil
    }

    /// True if blocks depend on the other direction. Stored, because looking into a large optional
    /// takes 5% of the time.
    private(set) var tracksRequests: Bool

    /// The decoders for the current dialect.
    var decoding: DecodingContext {
        get { DecodingContext(decoder: decoder, schema: schema, names: names, blocks: blocks) }
        set {
            decoder = newValue.decoder
            schema = newValue.schema
            names = newValue.names
            blocks = newValue.blocks
            tracksRequests = blocks != nil
            message = Message()
        }
    }

    /// Emits the complete lines without payload at the start of `bytes`, without copying them. The
    /// framer must not hold an unfinished line. Returns the offset of the remaining bytes.
    @inline(__always)
    mutating func emitWholeLines(
        _ framer: LineFramer, _ bytes: Span<UInt8>, _ connection: CapturedConnection,
        _ half: HalfStream,
        _ direction: Direction, _ packet: PacketInfo
    ) -> Int {
        // The other direction's framer needs each line.
        guard !tracksRequests, let lines = framer.plainLines else { return 0 }
        var offset = 0
        while offset < bytes.count, let line = lines.line(in: bytes, from: offset) {
            emit(lines.frame(line), bytes, connection, half, direction, packet)
            offset = line.end
        }
        return offset
    }

    /// Passes the bytes to the framer, and emits all lines that are now complete.
    @inline(__always)
    mutating func feed(
        _ framer: inout LineFramer, _ bytes: Span<UInt8>, _ connection: CapturedConnection,
        _ half: HalfStream, _ direction: Direction, _ packet: PacketInfo
    ) {
        framer.append(bytes)
        while let frame = framer.next() {
            emit(frame, framer.buffer.span, connection, half, direction, packet)
            blocks?.note(frame, framer.buffer.span, connection, direction, packet)
        }
    }

    /// Prepares the server's framer for the greeting, if the dialect has one.
    @inline(never)
    func expectGreeting(_ connection: CapturedConnection, _ packet: PacketInfo) {
        connection.expectsGreeting = true
        blocks?.expectGreeting(connection, packet)
    }

    @inline(__always)
    private mutating func emit(
        _ frame: Frame, _ bytes: Span<UInt8>, _ connection: CapturedConnection, _ half: HalfStream,
        _ direction: Direction, _ packet: PacketInfo
    ) {
        if direction == .fromServer, frame.issue == nil, frame.payload == nil, !half.needsDecoding,
            sink.repeatedLine(frame, of: connection, half, packet, in: bytes)
        {
            counts.lines &+= 1
            return
        }
        decoder.decode(bytes, frame, from: direction, into: &message)
        counts.lines &+= 1
        let mayRename = message.command.map { names.concerns($0) } ?? false
        if mayRename || half.isAwaitingName {
            followName(frame, bytes, connection, direction, packet)
        }
        // An empty array literal would allocate memory.
        var marks = CapturedLine.Marks(rawValue: 0)
        var breaksDialect = false
        if half.isAfterGap {
            half.isAfterGap = false
            counts.incomplete += 1
            let isWhole = message.command != nil && message.issues.isEmpty
            marks = isWhole ? .headUncertain : .headMissing
        } else if SchemaCheck.isSuspicious(frame, message) {
            breaksDialect = schema.isBroken(frame, message)
            if breaksDialect { counts.broken += 1 }
            if message.command == nil { counts.unknown += 1 }
        }
        if half.isAfterReset {
            marks.insert(.afterReset)
            counts.afterReset += 1
        }
        // This is a single expression because changing the value later would add reference
        // counting.
        sink.line(
            CapturedLine(
                connection: connection, half: half, direction: direction, packet: packet,
                frame: frame,
                marks: marks, breaksDialect: breaksDialect, mayRename: mayRename), message,
            in: bytes)
    }

    /// Updates the operator's name.
    @inline(never)
    private mutating func followName(
        _ frame: Frame, _ bytes: Span<UInt8>, _ connection: CapturedConnection,
        _ direction: Direction,
        _ packet: PacketInfo
    ) {
        let isNew =
            direction == .fromClient
            ? names.sent(message, in: bytes, connection)
            : names.received(message, frame, in: bytes, connection)
        guard isNew else { return }
        sink.note(.named(connection.operatorName), connection, direction, packet)
    }

    /// Emits the framer's unfinished line, if it holds one.
    ///
    /// - Parameter isGap: Whether the line is unfinished because bytes are missing from the
    ///   capture.
    mutating func emitRest(
        of framer: inout LineFramer, _ connection: CapturedConnection, _ half: HalfStream,
        _ direction: Direction, _ packet: PacketInfo, isGap: Bool
    ) {
        guard let frame = framer.finish() else { return }
        decoder.decode(framer.buffer.span, frame, from: direction, into: &message)
        counts.lines += 1
        var line = CapturedLine(
            connection: connection, half: half, direction: direction, packet: packet, frame: frame,
            marks: half.isAfterGap ? [.headMissing] : [], breaksDialect: false)
        if isGap {
            line.marks.insert(.tailMissing)
        } else if !half.isAfterGap {
            line.breaksDialect = true
            counts.broken += 1
        }
        if half.isAfterReset {
            line.marks.insert(.afterReset)
            counts.afterReset += 1
        }
        if !line.marks.isDisjoint(with: .incomplete) { counts.incomplete += 1 }
        half.isAfterGap = false
        sink.line(line, message, in: framer.buffer.span)
    }
}

/// The decoders of one dialect.
struct DecodingContext {
    var decoder: MessageDecoder
    var schema: SchemaCheck
    var names: OperatorNames
    var blocks: BlockFramers?
}
