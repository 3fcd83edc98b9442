package import LineProtocol

/// A reader that splits the bytes of a connection into lines, in both directions.
package struct ConversationReader: Sendable {
    private let dialect: Dialect
    private let decoder: MessageDecoder
    private let builder: RecordedLineBuilder
    private var client: LineFramer
    private var server: LineFramer
    private var message = Message()

    package init(_ dialect: Dialect) {
        self.dialect = dialect
        decoder = MessageDecoder(dialect)
        builder = RecordedLineBuilder(dialect)
        client = LineFramer(dialect, direction: .fromClient)
        server = LineFramer(dialect, direction: .fromServer)
        server.noteConnected()
    }

    /// Reads bytes that one side sent. Calls `body` for each line that the bytes complete.
    package mutating func read(
        _ bytes: [UInt8], from direction: Direction, _ body: (RecordedLine) -> Void
    ) {
        var framer = take(direction)
        framer.append(bytes)
        while let frame = framer.next() {
            recordFromOtherSide(frame, framer.buffer.span, direction)
            body(line(frame, framer.buffer, direction))
        }
        put(framer, direction)
    }

    /// Returns the unterminated line at the end of one direction; nil if there is none.
    package mutating func finish(_ direction: Direction) -> RecordedLine? {
        var framer = take(direction)
        let rest = framer.finish().map { line($0, framer.buffer, direction) }
        put(framer, direction)
        return rest
    }

    private mutating func recordFromOtherSide(
        _ frame: Frame, _ bytes: Span<UInt8>, _ direction: Direction
    ) {
        switch direction {
        case .fromClient: server.recordFromOtherSide(frame, in: bytes)
        case .fromServer: client.recordFromOtherSide(frame, in: bytes)
        }
    }

    /// Moves the framer out of the reader, to avoid copying the framer's buffer.
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
        return builder.line(message, frame, in: buffer.span)
    }
}
