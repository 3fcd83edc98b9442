public import LineProtocol

/// Divides both directions of one connection into lines.
public struct ConversationReader: Sendable {
    private let dialect: Dialect
    private let decoder: MessageDecoder
    private var client: LineFramer
    private var server: LineFramer
    private var message = Message()

    /// A reader of a connection that speaks the dialect.
    public init(_ dialect: Dialect) {
        self.dialect = dialect
        decoder = MessageDecoder(dialect)
        client = LineFramer(dialect, direction: .fromClient)
        server = LineFramer(dialect, direction: .fromServer)
    }

    /// Takes what one side has sent and gives the lines that it completes to `body`.
    public mutating func read(
        _ bytes: [UInt8], from direction: Direction, _ body: (RecordedLine) -> Void
    ) {
        var framer = take(direction)
        framer.append(bytes)
        while let frame = framer.next() { body(line(frame, framer.buffer, direction)) }
        put(framer, direction)
    }

    /// What is left of a direction that has ended: a line without an end.
    public mutating func finish(_ direction: Direction) -> RecordedLine? {
        var framer = take(direction)
        let rest = framer.finish().map { line($0, framer.buffer, direction) }
        put(framer, direction)
        return rest
    }

    /// The framer is moved out and back, so that its buffer is never copied.
    private mutating func take(_ direction: Direction) -> LineFramer {
        let fresh = LineFramer(dialect, direction: direction)
        switch direction {
        case .fromClient: return exchange(&client, with: fresh)
        case .fromServer: return exchange(&server, with: fresh)
        }
    }

    private mutating func put(_ framer: LineFramer, _ direction: Direction) {
        switch direction {
        case .fromClient: client = framer
        case .fromServer: server = framer
        }
    }

    mutating func line(
        _ frame: Frame, _ buffer: [UInt8], _ direction: Direction
    ) -> RecordedLine {
        decoder.decode(buffer.span, frame, from: direction, into: &message)
        let start = frame.line.lowerBound
        func moved(_ range: Range<Int>) -> Range<Int> {
            (range.lowerBound - start)..<(range.upperBound - start)
        }
        let terminator = frame.terminator?.bytes ?? []
        let side = dialect.framing.side(direction)
        let isLine = dialect.framing.unit == .line
        let signature = message.command.map { decoder.commands.signatures[$0] }
        return RecordedLine(
            direction: direction, bytes: Array(buffer[frame.line]), terminator: terminator,
            payload: frame.payload.map { payload(frame, $0, buffer, side) },
            isRegular: frame.issue == nil && (!isLine || terminator == side.terminator.bytes),
            command: signature?.name, verb: moved(message.split.verb),
            source: message.split.source.map(moved), tags: message.split.tags.map(moved),
            fields: zip(message.split.fields, arguments(signature, message.split.fields, buffer))
                .map { field, argument in
                    RecordedLine.Field(
                        range: moved(field.value), argument: argument, isPlain: !field.hasEscape)
                })
    }

    private func payload(
        _ frame: Frame, _ range: Range<Int>, _ buffer: [UInt8], _ side: Framing.Side
    ) -> [UInt8] {
        guard frame.payloadIsBlock else { return Array(buffer[range]) }
        var block: [UInt8] = []
        DotStuffing.unstuff(buffer.span, range, side: side, into: &block)
        return block
    }

    /// The name of the argument that each field is, as far as the table has one.
    private func arguments(
        _ signature: CommandSignature?, _ fields: ReusableArray<Field>, _ buffer: [UInt8]
    ) -> [String?] {
        guard let signature else { return fields.map { _ in nil } }
        let ordered = signature.arguments.filter { argument in
            switch argument.place {
            case .field, .payloadLength, .correlation: true
            default: false
            }
        }
        var place = 0
        return fields.map { field in
            if let key = field.key {
                let name = Array(buffer[key])
                return signature.arguments.first { $0.place == .key(name) }?.name
            }
            defer { place += 1 }
            return place < ordered.count ? ordered[place].name : nil
        }
    }
}
