package import LineProtocol

/// Divides both directions of one connection into lines.
package struct ConversationReader: Sendable {
    private let dialect: Dialect
    private let decoder: MessageDecoder
    private let divider: LineDivider
    private var client: LineFramer
    private var server: LineFramer
    private var message = Message()

    /// A reader of a connection that speaks the dialect.
    package init(_ dialect: Dialect) {
        self.dialect = dialect
        decoder = MessageDecoder(dialect)
        divider = LineDivider(dialect)
        client = LineFramer(dialect, direction: .fromClient)
        server = LineFramer(dialect, direction: .fromServer)
    }

    /// Takes what one side has sent and gives the lines that it completes to `body`.
    package mutating func read(
        _ bytes: [UInt8], from direction: Direction, _ body: (RecordedLine) -> Void
    ) {
        var framer = take(direction)
        framer.append(bytes)
        while let frame = framer.next() { body(line(frame, framer.buffer, direction)) }
        put(framer, direction)
    }

    /// What is left of a direction that has ended: a line without an end.
    package mutating func finish(_ direction: Direction) -> RecordedLine? {
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
        return divider.line(message, frame, in: buffer.span)
    }
}
