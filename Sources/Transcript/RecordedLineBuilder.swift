import DialectModel
package import LineProtocol

/// A builder of recorded lines from frames and decoded messages.
package struct RecordedLineBuilder: Sendable {
    private let framing: Framing
    private let signatures: [CommandSignature]

    package init(_ dialect: Dialect) {
        framing = dialect.framing
        signatures = dialect.commands.signatures
    }

    /// Returns a copy of the line in `buffer` that was framed as `frame` and decoded as `message`.
    package func line(_ message: Message, _ frame: Frame, in buffer: Span<UInt8>) -> RecordedLine {
        let start = frame.line.lowerBound
        func moved(_ range: Range<Int>) -> Range<Int> {
            (range.lowerBound - start)..<(range.upperBound - start)
        }
        let terminator = frame.terminator?.bytes ?? []
        let side = framing.side(message.direction)
        let isPayload = frame.payload != nil && frame.line.isEmpty && frame.terminator == nil
        let isLine = framing.unit == .line && !isPayload
        let signature = message.command.map { signatures[$0] }
        let fields = message.split.fields
        let arguments = signature?.arguments(of: fields, in: buffer) ?? fields.map { _ in nil }
        return RecordedLine(
            direction: message.direction, bytes: buffer.array(frame.line), terminator: terminator,
            payload: frame.payload.map { payload(frame, $0, buffer, side) },
            isRegular: frame.issue == nil && (!isLine || terminator == side.terminator.bytes),
            command: signature?.name, verb: moved(message.split.verb),
            source: message.split.source.map(moved), tags: message.split.tags.map(moved),
            fields: zip(fields, arguments).map { field, argument in
                RecordedLine.Field(
                    range: moved(field.value), argument: argument?.name, isPlain: !field.hasEscape)
            })
    }

    private func payload(
        _ frame: Frame, _ range: Range<Int>, _ buffer: Span<UInt8>, _ side: Framing.Side
    ) -> [UInt8] {
        guard frame.payloadIsBlock else { return buffer.array(range) }
        var block: [UInt8] = []
        DotStuffing.unstuff(buffer, range, side: side, into: &block)
        return block
    }
}
