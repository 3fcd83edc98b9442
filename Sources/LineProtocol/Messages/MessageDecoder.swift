/// Turns lines into typed messages by a dialect's command table.
///
/// One value serves any number of connections; what a line leaves behind is in the ``Message`` given.
public struct MessageDecoder: Sendable {
    public let commands: CommandTable
    let splitter: LineSplitter
    let escaping: Escaping
    let syntax: FieldSyntax
    let isKeyed: Bool
    let blockEnds: (fromClient: LineEnds, fromServer: LineEnds)
    let plan: ArgumentPlan

    public init(_ dialect: Dialect) {
        commands = dialect.commands
        splitter = LineSplitter(dialect)
        escaping = dialect.escaping
        syntax = dialect.syntax
        isKeyed = dialect.syntax.keyValue != nil
        blockEnds = (
            LineEnds(dialect.framing.fromClient.accepted),
            LineEnds(dialect.framing.fromServer.accepted)
        )
        plan = ArgumentPlan(dialect)
    }

    /// Decodes the line of `frame`, which stands in `bytes`.
    public func decode(
        _ bytes: Span<UInt8>, _ frame: Frame, from direction: Direction, into message: inout Message
    ) {
        splitter.split(bytes, frame.line, into: &message.split)
        message.direction = direction
        message.payload = frame.payload
        message.clear()
        message.command = commands.command(bytes, message.split.verb, direction)
        guard let place = message.command else {
            message.issues.append(.unknownCommand)
            return
        }
        let command = plan.commands[place]
        if command.isPositional {
            decodePositional(bytes, command, &message)
        } else {
            decodePlaces(bytes, command, frame, &message)
        }
    }

    /// Decodes one line that stands alone.
    public func decode(
        _ line: [UInt8], from direction: Direction, into message: inout Message
    ) {
        decode(
            line.span, Frame(line: 0..<line.count, whole: 0..<line.count), from: direction,
            into: &message)
    }

    /// Arguments that are all required and stand in order: most commands of most dialects.
    private func decodePositional(
        _ bytes: Span<UInt8>, _ command: ArgumentPlan.Command, _ message: inout Message
    ) {
        let fieldCount = message.split.fields.count
        for place in 0..<command.stepCount {
            if place < fieldCount {
                let field = message.split.fields[place]
                message.arguments.append(decoded(bytes, field, command, place, &message))
            } else {
                message.arguments.append(
                    ValueConversion.zero(plan.types[command.firstStep + place]))
            }
        }
        if fieldCount < command.stepCount {
            message.issues.append(.tooFew(missing: command.stepCount - fieldCount))
        } else if fieldCount > command.stepCount {
            tooMany(bytes, command, extra: fieldCount - command.stepCount, &message)
        }
    }

    /// The argument at `place` that `field` spells.
    @inline(__always)
    func decoded(
        _ bytes: Span<UInt8>, _ field: Field, _ command: ArgumentPlan.Command, _ place: Int,
        _ message: inout Message
    ) -> DecodedArgument {
        if field.hasEscape, command.isEscaped {
            return unescaped(bytes, field, command, place, &message)
        }
        return converted(bytes, field.value, command, place, &message)
    }

    /// The argument at `place` that the text in `range` spells without escapes.
    @inline(__always)
    func converted(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ command: ArgumentPlan.Command, _ place: Int,
        _ message: inout Message
    ) -> DecodedArgument {
        let step = command.firstStep &+ place
        let value: DecodedArgument?
        switch plan.steps[step].conversion {
        case .text: return DecodedArgument(.text, range: range)
        case .bytes: return DecodedArgument(.bytes, range: range)
        case .json: return DecodedArgument(.json, range: range)
        case .xml: return DecodedArgument(.xml, range: range)
        case .int:
            value = integer(bytes, range).map { DecodedArgument(.int, number: $0, range: range) }
        case .digit: value = ValueConversion.digit(bytes, range)
        case .decimal: value = ValueConversion.decimal(bytes, range)
        case .time(let format): value = ValueConversion.time(bytes, range, format)
        case .other: value = ValueConversion.scalar(bytes, range, plan.types[step])
        }
        if let value { return value }
        message.issues.append(.invalidArgument(place))
        return ValueConversion.zero(plan.types[step])
    }

    /// The argument at `place` that the text in `field` spells with escapes.
    private func unescaped(
        _ bytes: Span<UInt8>, _ field: Field, _ command: ArgumentPlan.Command, _ place: Int,
        _ message: inout Message
    ) -> DecodedArgument {
        let lower = message.scratch.count
        do {
            try rule(for: field).decode(bytes, field.value, into: &message.scratch)
        } catch {
            message.issues.append(.badEscape(place, error))
        }
        return convertedScratch(from: lower, command, place, &message)
    }

    /// The argument at `place` that the scratch bytes from `lower` on spell.
    func convertedScratch(
        from lower: Int, _ command: ArgumentPlan.Command, _ place: Int, _ message: inout Message
    ) -> DecodedArgument {
        // Taken out, because the message is changed while the bytes are read.
        var scratch: [UInt8] = []
        swap(&scratch, &message.scratch)
        defer { swap(&scratch, &message.scratch) }
        var value = converted(scratch.span, lower..<scratch.count, command, place, &message)
        value.isInScratch = true
        return value
    }

    private func rule(for field: Field) -> EscapeRule {
        switch field.form {
        case .plain, .option: isKeyed ? escaping.value : escaping.field
        case .trailing: escaping.trailing
        case .keyValue: escaping.value
        case .quoted: .quotes
        }
    }

    /// Deals with more fields than arguments.
    func tooMany(
        _ bytes: Span<UInt8>, _ command: ArgumentPlan.Command, extra: Int, _ message: inout Message
    ) {
        message.issues.append(.tooMany(extra: extra))
        let fields = message.split.fields
        guard command.tooMany == .joinLast, command.lastPositional >= 0, !isKeyed,
            extra < fields.count, let last = fields.last
        else { return }
        let first = fields[fields.count - extra - 1]
        let range = first.range.lowerBound..<last.range.upperBound
        let hasEscape = (fields.count - extra - 1..<fields.count).contains { fields[$0].hasEscape }
        let argument = decoded(
            bytes, Field(range, hasEscape: hasEscape), command, command.lastPositional, &message)
        message.arguments.replace(at: command.lastPositional, with: argument)
    }
}
