import DialectModel
import LineProtocol

extension FuzzTarget {
    static func codec(_ bytes: [UInt8]) {
        guard let (name, rest) = firstLine(bytes), let size = rest.first,
            let bound = dialect(named: name)
        else { return }
        var connection = FuzzedConnection(bound.dialect)
        var direction = Direction.fromClient
        for part in rest.dropFirst().split(separator: 0x1E, omittingEmptySubsequences: false) {
            var part = part
            while !part.isEmpty {
                connection.take(Array(part.prefix(Int(size) + 1)), direction)
                part = part.dropFirst(Int(size) + 1)
            }
            direction = direction.opposite
        }
        connection.finish()
    }
}

/// Both directions of a connection whose lines are decoded, and encoded again.
private struct FuzzedConnection {
    private let dialect: Dialect
    private let decoder: MessageDecoder
    private var framers: [Direction: LineFramer] = [:]
    private var message = Message()
    private var secrets: SecretArguments

    init(_ dialect: Dialect) {
        self.dialect = dialect
        decoder = MessageDecoder(dialect)
        secrets = SecretArguments(dialect)
        for direction in Direction.allCases {
            framers[direction] = LineFramer(dialect, direction: direction)
        }
        framers[.fromServer]?.noteConnected()
    }

    mutating func take(_ bytes: [UInt8], _ direction: Direction) {
        guard var framer = framers.removeValue(forKey: direction) else { return }
        framer.append(bytes.span)
        while let frame = framer.next() { take(frame, framer.buffer, direction) }
        framers[direction] = framer
    }

    mutating func finish() {
        for direction in Direction.allCases {
            guard var framer = framers[direction] else { continue }
            if let frame = framer.finish() { take(frame, framer.buffer, direction) }
        }
    }

    private mutating func take(_ frame: Frame, _ buffer: [UInt8], _ direction: Direction) {
        framers[direction.opposite]?.recordFromOtherSide(frame, in: buffer.span)
        let payload = frame.payload.map { Array(buffer[$0]) }
        _ = secrets.secrets(in: Array(buffer[frame.line]), payload: payload, from: direction)
        decoder.decode(buffer.span, frame, from: direction, into: &message)
        guard frame.issue == nil, let command = message.command, message.issues.isEmpty else {
            return
        }
        let signature = dialect.commands.signatures[command]
        encode(command, message.values(of: signature, in: buffer.span), direction)
    }

    /// Encodes the message, and checks that the result decodes to the same values.
    private mutating func encode(
        _ command: Int, _ values: [ArgumentValue], _ direction: Direction
    ) {
        var bytes: [UInt8] = []
        let encoder = MessageEncoder(dialect, direction: direction)
        do { try encoder.append(command, values, to: &bytes) } catch { return }
        // Whether such a dialect's messages have blocks depends on the other direction.
        if dialect.framing.hasConditionalBlocks { return }
        var framer = LineFramer(dialect, direction: direction)
        framer.append(bytes.span)
        guard let frame = framer.next() ?? framer.finish() else {
            fatalError("an encoded message is not a frame: \(bytes)")
        }
        var again = Message()
        decoder.decode(framer.buffer.span, frame, from: direction, into: &again)
        let decoded = again.command.map {
            again.values(of: dialect.commands.signatures[$0], in: framer.buffer.span)
        }
        // The encoder fills in lengths of payloads that are missing.
        let isSame = decoded.map { zip(values, $0).allSatisfy { $0 == .absent || $0 == $1 } }
        if again.command != command || isSame != true {
            fatalError("an encoded message has other values: \(values), \(bytes)")
        }
    }
}
