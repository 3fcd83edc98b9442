import DialectModel
package import LineProtocol

/// A sink that writes each line as it was sent, preceded by the number of the packet that completed
/// it, the connection, and the direction, in tab-separated columns. If there are several files, the
/// packet's file precedes its number.
package struct LinesWriter: ConversationSink {
    static var bufferedBytesMax: Int { 1 << 16 }

    package private(set) var target: any TextSink
    private var buffer = TextBuffer()
    /// Secret arguments by dialect, to mask their values; nil to show secrets.
    private var secrets: [SecretArguments]?
    private var dialect = 0
    /// Names of the files, escaped; empty if there is only one.
    private let files: [[UInt8]]

    /// - Parameter files: Names of the files by index; empty if there is only one.
    package init(
        _ target: some TextSink, _ dialects: [Dialect], showsSecrets: Bool, files: [String] = []
    ) {
        self.target = target
        self.files = files.map { name in
            var text = TextBuffer()
            text.append(escaped: Array(name.utf8).span, .log)
            return text.bytes
        }
        secrets = showsSecrets ? nil : dialects.map { SecretArguments($0) }
    }

    package mutating func switchDialect(to dialect: Int) { self.dialect = dialect }

    package mutating func line(
        _ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>
    ) {
        if !files.isEmpty {
            buffer.append(files[line.packet.file])
            buffer.append(":")
        }
        buffer.append(magnitude: UInt64(line.packet.number))
        buffer.append("\t")
        buffer.append(magnitude: UInt64(line.connection.number))
        buffer.append(line.direction == .fromClient ? "\t→\t" : "\t←\t")
        append(line, message, bytes)
        buffer.append("\n")
        if buffer.count >= Self.bufferedBytesMax { flush() }
    }

    private mutating func append(
        _ line: CapturedLine, _ message: Message, _ bytes: Span<UInt8>
    ) {
        let frame = line.frame
        // A line whose start is missing cannot be checked for secrets.
        if secrets != nil, line.marks.contains(.headMissing), line.direction == .fromClient {
            buffer.append("***")
        } else if secrets?[dialect].mayOccur(in: message) == true,
            let masked = secrets?[dialect].masked(
                bytes.array(frame.line), payload: frame.payload.map { bytes.array($0) },
                from: line.direction)
        {
            buffer.append(escaped: masked.line.span, .log)
            if let payload = masked.payload { append(payload: payload.span) }
        } else {
            buffer.append(escaped: bytes.extracting(frame.line), .log)
            if let payload = frame.payload { append(payload: bytes.extracting(payload)) }
        }
    }

    /// Appends a payload in its own column.
    private mutating func append(payload: Span<UInt8>) {
        buffer.append("\t")
        buffer.append(escaped: payload, .log)
    }

    private mutating func flush() { buffer.flush(to: &target) }

    package mutating func pause() { flush() }
    package mutating func finish() { flush() }
}
