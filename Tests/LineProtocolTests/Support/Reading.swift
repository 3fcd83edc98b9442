@testable import LineProtocol

/// A frame with its bytes, for comparisons that do not depend on how the stream was divided.
struct ReadFrame: Equatable, CustomStringConvertible {
    var line: [UInt8]
    var payload: [UInt8]?
    var terminator: Terminator?
    var issue: FrameIssue?
    var payloadIsBlock = false
    /// The decoded command.
    var command: String?
    var values: [ArgumentValue] = []
    var issues: [MessageIssue] = []

    var description: String {
        let shown = line.count > 80 ? "\(line.count) bytes" : shown(line)
        var text = "\(shown) end \(terminator?.name ?? "none")"
        if let payload {
            text +=
                " payload \(payload.count > 80 ? "\(payload.count) bytes" : self.shown(payload))"
        }
        if let issue { text += " \(issue)" }
        if let command { text += " \(command) \(values) \(issues)" }
        return text
    }

    private func shown(_ bytes: [UInt8]) -> String {
        bytes.map { (0x21...0x7E).contains($0) ? String(UnicodeScalar($0)) : "<\($0)>" }.joined()
    }
}

/// A reader that passes a stream to a framer in the same way as a connection.
struct StreamReader {
    var framer: LineFramer
    let decoder: MessageDecoder
    let direction: Direction
    var message = Message()
    var frames: [ReadFrame] = []
    var heldMost = 0

    init(
        _ dialect: Dialect, _ direction: Direction, enforcesLimits: Bool = false,
        bufferBytesMax: Int = LineFramer.bufferBytesMax
    ) {
        framer = LineFramer(
            dialect, direction: direction, enforcesLimits: enforcesLimits,
            bufferBytesMax: bufferBytesMax)
        decoder = MessageDecoder(dialect)
        self.direction = direction
    }

    /// Returns the frames of a stream that arrives in the given pieces. Does not change this
    /// reader.
    func read(_ pieces: [[UInt8]]) -> [ReadFrame] {
        var reader = self
        for piece in pieces { reader.append(piece) }
        reader.finish()
        return reader.frames
    }

    mutating func append(_ bytes: some Sequence<UInt8>) {
        framer.append(Array(bytes))
        while let frame = framer.next() { take(frame) }
        heldMost = max(heldMost, framer.heldBytes)
    }

    mutating func finish() {
        if let frame = framer.finish() { take(frame) }
    }

    private mutating func take(_ frame: Frame) {
        let buffer = framer.buffer
        var read = ReadFrame(
            line: Array(buffer[frame.line]), payload: frame.payload.map { Array(buffer[$0]) },
            terminator: frame.terminator, issue: frame.issue, payloadIsBlock: frame.payloadIsBlock)
        decoder.decode(buffer.span, frame, from: direction, into: &message)
        if let command = message.command {
            let signature = decoder.commands.signatures[command]
            read.command = signature.name
            read.values = message.values(of: signature, in: buffer.span)
        }
        read.issues = message.issues
        frames.append(read)
    }
}

/// Returns the frames of a stream that arrives in the given pieces.
func read(
    _ pieces: [[UInt8]], _ dialect: Dialect, _ direction: Direction = .fromServer,
    enforcesLimits: Bool = false
) -> [ReadFrame] {
    StreamReader(dialect, direction, enforcesLimits: enforcesLimits).read(pieces)
}

func read(
    _ stream: String, _ dialect: Dialect, _ direction: Direction = .fromServer,
    enforcesLimits: Bool = false
) -> [ReadFrame] {
    read([bytes(stream)], dialect, direction, enforcesLimits: enforcesLimits)
}

/// Returns the lines of a stream as text.
func lines(_ stream: String, _ dialect: Dialect, _ direction: Direction = .fromServer) -> [String] {
    read(stream, dialect, direction).map { String(decoding: $0.line, as: UTF8.self) }
}

/// Returns the frames of a stream that arrives byte by byte.
func readBytewise(
    _ stream: [UInt8], _ dialect: Dialect, _ direction: Direction, enforcesLimits: Bool = false
) -> [ReadFrame] {
    read(stream.map { [$0] }, dialect, direction, enforcesLimits: enforcesLimits)
}

extension SeededRandom {
    /// Cuts `stream` into pieces of random lengths.
    mutating func pieces(_ stream: [UInt8], lengthMax: Int) -> [[UInt8]] {
        var result: [[UInt8]] = []
        var offset = 0
        while offset < stream.count {
            let length = Int.random(in: 0...lengthMax, using: &self)
            result.append(Array(stream[offset..<min(offset + length, stream.count)]))
            offset += length
        }
        return result
    }
}

/// Decodes a single line.
func decode(
    _ line: String, _ dialect: Dialect, _ direction: Direction = .fromServer
) -> ReadFrame {
    let decoder = MessageDecoder(dialect)
    var message = Message()
    let line = bytes(line)
    decoder.decode(line, from: direction, into: &message)
    var read = ReadFrame(line: line)
    if let command = message.command {
        read.command = dialect.commands.signatures[command].name
        read.values = message.values(of: dialect.commands.signatures[command], in: line.span)
    }
    read.issues = message.issues
    return read
}

/// Returns the bytes of an encoded command.
func encode(
    _ name: String, _ values: [ArgumentValue], _ dialect: Dialect,
    _ direction: Direction = .fromClient
) throws(EncodingError) -> [UInt8] {
    var result: [UInt8] = []
    let command = dialect.commands.command(named: name, direction) ?? -1
    try MessageEncoder(dialect, direction: direction).append(command, values, to: &result)
    return result
}
