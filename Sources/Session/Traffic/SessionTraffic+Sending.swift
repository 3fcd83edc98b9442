import DialectModel
import LineProtocol
import Results
import Scenario

/// Sends messages: records them, splits them according to the segmentation, and inserts pauses
/// between the pieces.
extension SessionTraffic {
    /// Maximum number of pieces per send with pauses between them. Further pieces are sent without
    /// pauses.
    static var pacedPiecesMax: Int { 512 }

    /// Queues a rendered message.
    mutating func queue(_ parts: [SendPart], _ index: Int, role: TranscriptEntry.Role) {
        var pause: Int64 = 0
        for part in parts {
            switch part {
            case .wait(let time):
                pause += time
            case .whole(let bytes):
                record(bytes, terminatorCount: 0, index, role)
                noteSent(bytes, index, role)
                flushHeld(index)
                enqueue(.send(connection(index), bytes), pause: pause, index)
                pause = 0
            case .line(let bytes, let terminatorCount):
                record(bytes, terminatorCount: terminatorCount, index, role)
                noteSent(bytes, index, role)
                queueLine(bytes, terminatorCount, pause: pause, index)
                pause = 0
            }
        }
        drainOutgoing()
    }

    private mutating func record(
        _ bytes: [UInt8], terminatorCount: Int, _ index: Int, _ role: TranscriptEntry.Role
    ) {
        let name = operators[index].name
        if terminatorCount > 0, hasPayloads, let line = dividedLine(bytes, index) {
            recorder.record(
                .sent, name, at: now, line.bytes, terminator: line.terminator,
                payload: line.payload, role: role)
            return
        }
        recorder.record(
            .sent, name, at: now, Array(bytes.dropLast(terminatorCount)),
            terminator: Array(bytes.suffix(terminatorCount)), role: role)
    }

    /// True if a message can be more than a single line: if it can have a payload, or if the
    /// dialect is not framed in lines.
    private var hasPayloads: Bool {
        let framing = program.dialect.framing
        return framing.unit != .line || !framing.payloads.isEmpty || !framing.blocks.isEmpty
            || !framing.linePrompts.isEmpty
    }

    /// Decodes sent bytes as the server would; returns nil unless they are exactly one line.
    private func dividedLine(_ bytes: [UInt8], _ index: Int) -> ReceivedLine? {
        var framer = LineFramer(program.dialect, direction: .fromClient)
        if let message = operators[index].sent?.awaited { framer.expect(message) }
        framer.append(bytes)
        guard let frame = framer.next(), framer.next() == nil, framer.heldBytes == 0 else {
            return nil
        }
        return ReceivedLine(frame, in: framer.buffer.span, at: now)
    }

    private mutating func queueLine(
        _ bytes: [UInt8], _ terminatorCount: Int, pause: Int64, _ index: Int
    ) {
        switch options.segmentation {
        case .whole:
            enqueue(.send(connection(index), bytes), pause: pause, index)
        case .coalesce, .finWithData:
            if options.segmentation == .finWithData { flushHeld(index) }
            operators[index].held += bytes
        case .byte, .random, .midTerminator, .midLetter:
            let cuts = options.segmentation.cuts(
                bytes, terminatorCount: terminatorCount, random: &random)
            var start = 0
            var isFirst = true
            for (count, end) in (cuts + [bytes.count]).enumerated() where end > start {
                let gap = count < Self.pacedPiecesMax ? Segmentation.gap : 0
                enqueue(
                    .send(connection(index), Array(bytes[start..<end])),
                    pause: isFirst ? pause : gap, index)
                isFirst = false
                start = end
            }
        }
    }

    /// Sends the held-back bytes of all operators.
    mutating func flushHeld() {
        for index in operators.indices { flushHeld(index) }
        drainOutgoing()
    }

    mutating func flushHeldOfOthers(_ index: Int) {
        for other in operators.indices where other != index { flushHeld(other) }
    }

    mutating func flushHeld(_ index: Int) {
        let bytes = operators[index].held
        guard !bytes.isEmpty else { return }
        operators[index].held = []
        enqueue(.send(connection(index), bytes), index)
    }
}

extension Segmentation {
    /// Returns the offsets at which to split `bytes`. The bytes must end with a terminator.
    func cuts(
        _ bytes: [UInt8], terminatorCount: Int, random: inout SeededRandom
    ) -> [Int] {
        switch self {
        case .whole, .coalesce, .finWithData:
            return []
        case .byte:
            return Array(1..<max(1, bytes.count))
        case .random(let seed):
            var own = SeededRandom(seed: seed ^ random.next())
            return (1..<max(1, bytes.count)).filter { _ in own.next() % 4 == 0 }
        case .midTerminator:
            return bytes.count > 1 ? [bytes.count - 1] : []
        case .midLetter:
            return bytes.indices.dropFirst().filter { bytes[$0] & 0xC0 == 0x80 }
        }
    }
}
