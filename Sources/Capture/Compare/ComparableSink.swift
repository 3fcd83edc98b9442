package import DialectModel
package import LineProtocol
import Diagnostics
import Transcript

/// A sink that collects the lines of a capture for a comparison.
///
/// Answers to the server's keepalive are left out, because their number depends on time.
package struct ComparableSink: ConversationSink {
    /// Maximum number of lines, and of bytes in them.
    static let (linesMax, bytesMax) = (200_000, 64 << 20)
    /// Maximum size of a line in an example.
    private static let textBytesMax = 240

    package private(set) var capture = ComparableCapture()
    private var log: LogWriter
    private let formatter: DialectFormatter
    private let replies: StandingReplies
    private let deliveries: Set<Int>
    private var indices: [Int: Int] = [:]
    private var keepalives: [Int: Int] = [:]
    private var bytes = 0

    package init(_ dialect: BoundDialect) {
        log = LogWriter(CollectedText(), dialect.dialect, LogOptions())
        formatter = DialectFormatter(dialect.dialect, .log, showsSecrets: false, nil)
        replies = StandingReplies(dialect)
        let shapes = BehaviourShapes(dialect)
        deliveries = Set([shapes.say, shapes.relay].compactMap { $0?.received.command })
    }

    package mutating func started(at time: Int64) { capture.startedAt = time }

    package mutating func line(_ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>) {
        guard !line.marks.contains(.afterReset) else { return }
        let index = index(of: line.connection)
        guard line.marks.isDisjoint(with: [.headMissing, .tailMissing]) else {
            capture.conversations[index].hasGaps = true
            return
        }
        guard !isKeepalive(line, message, in: bytes) else { return }
        guard capture.lines < Self.linesMax, self.bytes < Self.bytesMax else {
            capture.isCut = true
            return
        }
        let found = comparable(line, message, in: bytes)
        self.bytes += found.text.count + found.arguments.reduce(0) { $0 + $1.value.count }
        capture.lines += 1
        if capture.conversations[index].name.isEmpty {
            capture.conversations[index].name = line.connection.operatorName
        }
        capture.conversations[index].lines.append(found)
    }

    package mutating func note(
        _ note: ConversationNote, _ connection: CapturedConnection, _ direction: Direction?,
        _ packet: PacketInfo
    ) {
        guard let index = indices[connection.number] else { return }
        switch note {
        case .gap, .encrypted, .undecrypted, .compressed, .outOfStep, .lineCut:
            capture.conversations[index].hasGaps = true
        case .halfClosed:
            if capture.conversations[index].closedAt == nil {
                capture.conversations[index].closedAt = packet.knownTime
            }
            guard direction == .fromClient else { break }
            capture.conversations[index].linesBeforeClose =
                capture.conversations[index].lines.count
        default: break
        }
    }

    package mutating func ended(
        _ connection: CapturedConnection, _ end: ConnectionEnd, _ packet: PacketInfo
    ) {
        guard let index = indices[connection.number] else { return }
        let side = connection.closedBy ?? connection.resetBy
        capture.conversations[index].isOpen = end == .captureEnd || end == .forgotten
        if !capture.conversations[index].isOpen, capture.conversations[index].closedAt == nil {
            capture.conversations[index].closedAt = packet.knownTime
        }
        capture.conversations[index].isEndedByServer = side == .fromServer
    }

    private mutating func index(of connection: CapturedConnection) -> Int {
        if let index = indices[connection.number] { return index }
        indices[connection.number] = capture.conversations.count
        capture.conversations.append(ComparableConversation(number: connection.number))
        return capture.conversations.count - 1
    }

    private mutating func isKeepalive(
        _ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>
    ) -> Bool {
        let verb = bytes.array(message.split.verb)
        let number = line.connection.number
        if replies.triggersReply(verb, line.direction) {
            keepalives[number, default: 0] += 1
            return true
        }
        guard let open = keepalives[number], open > 0,
            replies.isAnswer(verb, line.direction, open: open)
        else { return false }
        keepalives[number] = open - 1
        return true
    }

    private mutating func comparable(
        _ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>
    ) -> ComparableLine {
        log.buffer.removeAll()
        log.appendText(line, message, in: bytes)
        var text = log.buffer.bytes
        if text.count > Self.textBytesMax {
            let end = text[..<Self.textBytesMax].lastIndex { $0 & 0xC0 != 0x80 } ?? 0
            text = text[..<end] + Array("…".utf8)
        }
        guard let command = message.command else {
            let words = log.buffer.bytes.split(separator: ASCII.space, maxSplits: 1)
            let first = (words.first ?? []).filter { $0 != 0x22 }
            return ComparableLine(
                isFromClient: line.direction == .fromClient,
                command: String(decoding: first, as: UTF8.self),
                arguments: words.dropFirst().map { ("text", Array($0)) }, isDelivery: false,
                text: text, packet: line.packet)
        }
        let signature = formatter.commands.signatures[command]
        var found = ComparableLine(
            isFromClient: line.direction == .fromClient, command: signature.name, arguments: [],
            isDelivery: deliveries.contains(command), text: text, packet: line.packet)
        var buffer = TextBuffer(capacity: 256)
        for index in 0..<message.arguments.count where !message.arguments[index].isAbsent {
            buffer.removeAll()
            formatter.appendValue(at: index, of: command, message, in: bytes, to: &buffer)
            var value = buffer.bytes
            if message.arguments[index].kind == .list {
                // Only spaces between the elements.
                value = value.dropFirst().dropLast().filter { $0 != 0x22 && $0 != 0x2C }
            } else if value.count > 1, value.first == 0x22, value.last == 0x22 {
                value = Array(value[1..<(value.count - 1)])
            }
            let argument = signature.arguments[index]
            if argument.position == .source {
                found.source = Array(value.prefix(while: ValueWords.isInWord))
            }
            found.arguments.append((argument.name, value))
        }
        if let payload = line.frame.payload, signature.payloadArgument == nil {
            let isMasked = formatter.texts.holdsSecret(message, in: bytes)
            found.arguments.append(("payload", isMasked ? SecretMask.stars : bytes.array(payload)))
        }
        return found
    }
}
