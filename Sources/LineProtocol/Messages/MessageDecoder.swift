/// Turns lines into typed messages by a dialect's command table.
///
/// One value serves any number of connections; what a line leaves behind is in the ``Message`` given.
public struct MessageDecoder: Sendable {
    public let commands: CommandTable
    let splitter: LineSplitter
    let escaping: Escaping
    let syntax: FieldSyntax
    let tolerance: Tolerance
    let blockTerminators: (fromClient: Terminator, fromServer: Terminator)
    let plans: [ArgumentPlan]

    public init(_ dialect: Dialect) {
        commands = dialect.commands
        splitter = LineSplitter(dialect)
        escaping = dialect.escaping
        syntax = dialect.syntax
        tolerance = dialect.tolerance
        blockTerminators = (
            dialect.framing.fromClient.terminator, dialect.framing.fromServer.terminator
        )
        plans = dialect.commands.signatures.map(ArgumentPlan.init)
    }

    /// Decodes the line of `frame`, which stands in `bytes`.
    public func decode(
        _ bytes: Span<UInt8>, _ frame: Frame, from direction: Direction, into message: inout Message
    ) {
        splitter.split(bytes, frame.line, into: &message.split)
        message.direction = direction
        message.payload = frame.payload
        message.scratch.removeAll(keepingCapacity: true)
        message.issues.removeAll(keepingCapacity: true)
        message.arguments.removeAll(keepingCapacity: true)
        message.fieldRule = escaping.field
        message.trailingRule = escaping.trailing
        message.command = commands.command(bytes, message.split.verb, direction)
        guard let command = message.command else {
            message.issues.append(.unknownCommand)
            return
        }
        if plans[command].isPositional {
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
        _ bytes: Span<UInt8>, _ command: Int, _ message: inout Message
    ) {
        let plan = plans[command]
        let count = message.split.fields.count
        for place in 0..<plan.types.count {
            if place < count {
                append(bytes, message.split.fields[place], plan.types[place], place, &message)
            } else {
                message.arguments.append(ValueConversion.zero(plan.types[place]))
            }
        }
        if count < plan.types.count {
            message.issues.append(.tooFew(missing: plan.types.count - count))
        } else if count > plan.types.count {
            tooMany(bytes, command, extra: count - plan.types.count, &message)
        }
    }

    /// Appends the argument that `field` spells.
    func append(
        _ bytes: Span<UInt8>, _ field: Field, _ type: ArgumentType, _ place: Int,
        _ message: inout Message
    ) {
        let rule = rule(for: field)
        guard field.hasEscape, let marker = rule.marker,
            firstPlace(of: marker, in: bytes, field.value) != nil
        else {
            let value = ValueConversion.scalar(bytes, field.value, type)
            appendOrReport(value, type, place, &message)
            return
        }
        let lower = message.scratch.count
        do {
            try rule.decode(bytes, field.value, into: &message.scratch)
        } catch {
            message.issues.append(.badEscape(place, error))
        }
        let range = lower..<message.scratch.count
        var value = ValueConversion.scalar(message.scratch.span, range, type)
        value?.isInScratch = true
        appendOrReport(value, type, place, &message)
    }

    private func rule(for field: Field) -> EscapeRule {
        switch field.form {
        case .plain, .option: syntax.keyValue == nil ? escaping.field : escaping.value
        case .trailing: escaping.trailing
        case .keyValue: escaping.value
        case .quoted: .quotes
        }
    }

    func appendOrReport(
        _ value: DecodedArgument?, _ type: ArgumentType, _ place: Int, _ message: inout Message
    ) {
        if value == nil { message.issues.append(.invalidArgument(place)) }
        message.arguments.append(value ?? ValueConversion.zero(type))
    }

    /// Deals with more fields than arguments.
    func tooMany(
        _ bytes: Span<UInt8>, _ command: Int, extra: Int, _ message: inout Message
    ) {
        message.issues.append(.tooMany(extra: extra))
        let signature = commands.signatures[command]
        guard (signature.tolerance ?? tolerance).tooMany == .joinLast, !message.arguments.isEmpty,
            let last = message.split.fields.last
        else { return }
        let first = message.split.fields[message.split.fields.count - extra - 1]
        let joined = Field(first.range.lowerBound..<last.range.upperBound, hasEscape: true)
        let place = message.arguments.count - 1
        message.arguments.removeLast()
        append(bytes, joined, signature.arguments[place].type, place, &message)
    }
}

/// What of a signature the decoder needs at each line.
struct ArgumentPlan: Sendable {
    var types: [ArgumentType]
    /// Whether every argument is required and stands in order among the fields.
    var isPositional: Bool

    init(_ signature: CommandSignature) {
        types = signature.arguments.map(\.type)
        isPositional = signature.arguments.allSatisfy {
            $0.place == .field && $0.presence == .required && $0.defaultValue == nil
        }
    }
}
