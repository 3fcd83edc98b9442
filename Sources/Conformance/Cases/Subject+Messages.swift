import LineProtocol
import Scenario

extension Subject {
    /// Returns the message that sends these pieces, in separate writes with a short pause between
    /// them. A single piece is sent as a line if it is one.
    func message(_ pieces: [[UInt8]]) -> StepMessage {
        pieces.count == 1 ? message(pieces[0]) : Self.raw(pieces)
    }

    /// Returns the message that sends these pieces exactly.
    static func raw(_ pieces: [[UInt8]]) -> StepMessage {
        let pause = RawSegment.wait(DurationLiteral(nanoseconds: 2_000_000, range: .none))
        let segments = pieces.map { RawSegment.bytes(SpelledBytes.template($0)) }
        return .raw(Array(segments.map { [$0] }.joined(separator: [pause])))
    }

    /// Returns the message that sends these bytes, as a line if they are one.
    func message(_ bytes: [UInt8]) -> StepMessage {
        let end = terminator
        // In RESP, wire text must be a whole value or an inline command.
        if !dialect.syntax.fromClient.resp, bytes.count > end.count,
            bytes.suffix(end.count) == end[...]
        {
            let line = bytes.dropLast(end.count)
            let isPlain = line.allSatisfy { (0x21...0x7E).contains($0) || $0 == 0x20 }
            if isPlain, line.first != 0x20, line.last != 0x20, line.count < 200 {
                return .line(Array(line))
            }
        }
        return .raw(SpelledBytes.template(bytes))
    }
}
