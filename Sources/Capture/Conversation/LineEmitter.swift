import DialectModel
import LineProtocol

/// Makes messages of lines, checks them, and tells them to a sink.
struct LineEmitter<Sink: ConversationSink> {
    var sink: Sink
    var counts = ConversationCounts()
    private var decoder: MessageDecoder
    private var schema: SchemaCheck
    private var names: LoginNames
    private var message = Message()

    init(_ sink: Sink, _ bound: BoundDialect) {
        let dialect = bound.dialect
        self.sink = sink
        decoder = MessageDecoder(dialect)
        schema = SchemaCheck(dialect)
        names = LoginNames(bound)
    }

    /// What a dialect's lines are made messages with.
    struct DecodingContext {
        var decoder: MessageDecoder
        var schema: SchemaCheck
        var names: LoginNames
    }

    /// What the lines that follow are made messages with.
    var skills: DecodingContext {
        get { DecodingContext(decoder: decoder, schema: schema, names: names) }
        set {
            decoder = newValue.decoder
            schema = newValue.schema
            names = newValue.names
            message = Message()
        }
    }

    /// Tells the lines of `bytes` that are whole and plain, for a framer that is at rest: they need not be
    /// copied. Returns where the rest begins.
    @inline(__always)
    mutating func tellWholeLines(
        _ framer: LineFramer, _ bytes: Span<UInt8>, _ connection: Connection, _ half: HalfStream,
        _ direction: Direction, _ packet: PacketInfo
    ) -> Int {
        var place = 0
        while place < bytes.count, let frame = framer.plainLine(in: bytes, from: place) {
            tell(frame, bytes, connection, half, direction, packet)
            place = frame.whole.upperBound
        }
        return place
    }

    /// Tells the lines that `bytes` complete.
    @inline(__always)
    mutating func feed(
        _ framer: inout LineFramer, _ bytes: Span<UInt8>, _ connection: Connection,
        _ half: HalfStream, _ direction: Direction, _ packet: PacketInfo
    ) {
        framer.append(bytes)
        while let frame = framer.next() {
            tell(frame, framer.buffer.span, connection, half, direction, packet)
        }
    }

    @inline(__always)
    private mutating func tell(
        _ frame: Frame, _ bytes: Span<UInt8>, _ connection: Connection, _ half: HalfStream,
        _ direction: Direction, _ packet: PacketInfo
    ) {
        if direction == .fromServer, frame.issue == nil, frame.payload == nil, !half.isAfterHole,
            sink.lineAgain(frame, connection, packet, in: bytes)
        {
            counts.lines &+= 1
            return
        }
        decoder.decode(bytes, frame, from: direction, into: &message)
        counts.lines &+= 1
        if direction == .fromClient, let command = message.command, names.concerns(command) {
            learnName(bytes, connection, packet)
        }
        var marks: CapturedLine.Marks = []
        var breaksDialect = false
        if half.isAfterHole {
            half.isAfterHole = false
            counts.holed += 1
            let isWhole = message.command != nil && message.issues.isEmpty
            marks = isWhole ? .headUncertain : .headMissing
        } else if SchemaCheck.isSuspicious(frame, message) {
            breaksDialect = schema.isBroken(frame, message)
            if breaksDialect { counts.broken += 1 }
            if message.command == nil { counts.unknown += 1 }
        }
        // Made at once: a value that is changed afterwards would count its reference.
        sink.line(
            CapturedLine(
                connection: connection, direction: direction, packet: packet, frame: frame,
                marks: marks, breaksDialect: breaksDialect), message, in: bytes)
    }

    @inline(never)
    private mutating func learnName(
        _ bytes: Span<UInt8>, _ connection: Connection, _ packet: PacketInfo
    ) {
        let known = names.name(
            message, in: bytes, unlessRankedAbove: connection.conversation.nameRank)
        guard let known, known.name != connection.conversation.operatorName else { return }
        connection.conversation.nameRank = known.rank
        connection.conversation.operatorName = known.name
        connection.leads = LineLeads()
        sink.note(.named(known.name), connection, .fromClient, packet)
    }

    /// Tells what is left of an unfinished line; `isHole`: because bytes are missing.
    mutating func tellRest(
        of framer: inout LineFramer, _ connection: Connection, _ half: HalfStream,
        _ direction: Direction, _ packet: PacketInfo, isHole: Bool
    ) {
        guard let frame = framer.finish() else { return }
        decoder.decode(framer.buffer.span, frame, from: direction, into: &message)
        counts.lines += 1
        var line = CapturedLine(
            connection: connection, direction: direction, packet: packet, frame: frame,
            marks: half.isAfterHole ? [.headMissing] : [], breaksDialect: false)
        if isHole {
            line.marks.insert(.tailMissing)
        } else if !half.isAfterHole {
            line.breaksDialect = true
            counts.broken += 1
        }
        if !line.marks.isEmpty { counts.holed += 1 }
        half.isAfterHole = false
        sink.line(line, message, in: framer.buffer.span)
    }
}
