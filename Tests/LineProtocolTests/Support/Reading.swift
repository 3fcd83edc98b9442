@testable import LineProtocol

/// A frame with its bytes, so that it can be compared however the stream was divided.
struct ReadFrame: Equatable, CustomStringConvertible {
    var line: [UInt8]
    var payload: [UInt8]?
    var terminator: Terminator?
    var issue: FrameIssue?
    var payloadIsBlock = false
    /// What the decoder makes of it.
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

/// Reads a stream as a connection would.
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

    /// The frames of a stream that arrives in the given pieces at a reader like this one, which is fresh.
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

/// The frames of `stream` when it arrives in the given pieces.
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

/// The lines of `stream` as text.
func lines(_ stream: String, _ dialect: Dialect, _ direction: Direction = .fromServer) -> [String] {
    read(stream, dialect, direction).map { String(decoding: $0.line, as: UTF8.self) }
}

/// The frames when `stream` arrives byte by byte.
func readBytewise(
    _ stream: [UInt8], _ dialect: Dialect, _ direction: Direction, enforcesLimits: Bool = false
) -> [ReadFrame] {
    read(stream.map { [$0] }, dialect, direction, enforcesLimits: enforcesLimits)
}

extension SeededRandom {
    /// Cuts `stream` into pieces of random lengths.
    mutating func pieces(_ stream: [UInt8], lengthMax: Int) -> [[UInt8]] {
        var result: [[UInt8]] = []
        var place = 0
        while place < stream.count {
            let length = Int.random(in: 0...lengthMax, using: &self)
            result.append(Array(stream[place..<min(place + length, stream.count)]))
            place += length
        }
        return result
    }
}

/// Decodes one line by a dialect; its values are of the command found.
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

/// The bytes that a command is sent as.
func encode(
    _ name: String, _ values: [ArgumentValue], _ dialect: Dialect,
    _ direction: Direction = .fromClient
) throws(EncodingError) -> [UInt8] {
    var result: [UInt8] = []
    let command = dialect.commands.command(named: name, direction) ?? -1
    try MessageEncoder(dialect, direction: direction).append(command, values, to: &result)
    return result
}
