/// Decoder for the arguments of lines, used by ``MessageDecoder``.
///
/// It is a class so that decoding a line uses a single reference and needs no reference counting.
final class LineArgumentDecoder: Sendable {
    let divider: LineDivider
    let escaping: Escaping
    let tags: FieldSyntax.TagSyntax?
    let isKeyed: Bool
    let firstKeyWins: Bool
    let plan: ArgumentPlan
    private let fromClient: VerbIndex
    private let fromServer: VerbIndex
    /// True if a message without a command consists only of a block or of the line after a prompt,
    /// so that any other line without a command is not a valid message.
    private let payloadsHaveNoCommand: Bool
    private let clientEnds: LineEnds
    private let serverEnds: LineEnds
    /// Decoder for lines from servers; nil if this decoder is for both directions.
    private let serverDecoder: LineArgumentDecoder?

    /// Creates a decoder for both directions.
    convenience init(_ dialect: Dialect) {
        let isUniform = dialect.syntax.isUniform && dialect.escaping.isUniform
        self.init(
            dialect, .fromClient,
            isUniform ? nil : LineArgumentDecoder(dialect, .fromServer, nil))
    }

    private init(
        _ dialect: Dialect, _ direction: Direction, _ serverDecoder: LineArgumentDecoder?
    ) {
        let syntax = dialect.syntax[direction]
        self.serverDecoder = serverDecoder
        divider = LineDivider(dialect, direction)
        escaping = dialect.escaping[direction]
        tags = syntax.tags
        isKeyed = syntax.keyValue != nil
        firstKeyWins = syntax.keyValue?.firstWins ?? true
        plan = ArgumentPlan(dialect, direction)
        fromClient = dialect.commands.index(.fromClient)
        fromServer = dialect.commands.index(.fromServer)
        payloadsHaveNoCommand =
            dialect.framing.blocks.contains(where: \.verb.isEmpty)
            || !dialect.framing.linePrompts.isEmpty
        clientEnds = LineEnds(dialect.framing.fromClient.accepted)
        serverEnds = LineEnds(dialect.framing.fromServer.accepted)
    }

    func index(_ direction: Direction) -> VerbIndex {
        direction == .fromClient ? fromClient : fromServer
    }

    func blockEnds(_ direction: Direction) -> LineEnds {
        direction == .fromClient ? clientEnds : serverEnds
    }

    /// Splits the line in `range` and decodes its arguments.
    @_optimize(speed)
    func read(
        _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, into message: inout Message
    ) {
        if let serverDecoder, message.direction == .fromServer {
            unsafe serverDecoder.read(bytes, range, into: &message)
            return
        }
        unsafe divider.split(bytes, range, into: &message.split)
        if divider.json != nil {
            unsafe readJSON(bytes, into: &message)
            return
        }
        message.command = unsafe index(message.direction).find(bytes, message.split.parts.verb)
        // The first element of an array may be an ordinary value instead of the command.
        if message.command == nil, let resp = divider.resp, message.direction == .fromServer,
            unsafe resp.split(bytes.span, range, namesCommand: false, &message.split)
        {
            message.command = unsafe index(.fromServer).find(bytes, message.split.parts.verb)
        }
        if payloadsHaveNoCommand, message.split.parts.verb.isEmpty { chooseByPayload(&message) }
        guard let commandIndex = message.command else {
            message.arguments.removeAll()
            message.extra.issues.append(.unknownCommand)
            return
        }
        let command = plan.commands[commandIndex]
        let line = unsafe LineView(
            bytes: bytes, fields: message.split.fields.elements, command: command)
        let arguments = unsafe message.arguments.storageForWriting(command.stepCount)
        if command.isPositional {
            unsafe decodePositional(line, arguments, &message.extra)
        } else if command.isSimple, unsafe line.fields.count == command.requiredCount,
            message.split.parts.tags == nil
        {
            unsafe decodeSimple(line, arguments, message.split.parts.source, &message.extra)
        } else {
            unsafe decodeMixed(line, arguments, &message)
        }
        message.arguments.setCount(command.stepCount)
    }

    /// Chooses the command of a message whose line has none.
    @inline(never)
    private func chooseByPayload(_ message: inout Message) {
        if message.payload == nil {
            message.command = nil
        } else if !message.payloadIsBlock {
            message.command = index(message.direction).prompted
        }
    }

    /// Decodes arguments that are all required and in order, as they are in most commands.
    @inline(__always)
    private func decodePositional(
        _ line: LineView, _ arguments: UnsafeMutablePointer<DecodedArgument>,
        _ extra: inout Message.Extra
    ) {
        let count = unsafe line.command.stepCount
        let fieldCount = unsafe line.fields.count
        for index in 0..<min(count, fieldCount) {
            unsafe arguments[index] = decoded(line, line.fields[index], index, &extra)
        }
        if fieldCount == count { return }
        unsafe handleFieldCount(line, arguments, &extra)
    }

    /// Decodes a command that is simple (``ArgumentPlan/Command/isSimple``) from a line that has no
    /// tags and the right number of fields.
    @_optimize(speed)
    @inline(__always)
    private func decodeSimple(
        _ line: LineView, _ arguments: UnsafeMutablePointer<DecodedArgument>, _ source: Range<Int>?,
        _ extra: inout Message.Extra
    ) {
        let command = unsafe line.command
        var field = 0
        var index = 0
        while index < command.stepCount {
            let step = command.firstStep &+ index
            switch plan.steps[step].source {
            case .field:
                unsafe arguments[index] = decoded(line, line.fields[field], index, &extra)
                field &+= 1
                index &+= 1
            case .source:
                unsafe arguments[index] = decodedSource(line, source, index, &extra)
                index &+= 1
            case .tag, .variadic, .key, .option, .payload, .verb:
                let end = index &+ max(1, plan.steps[step].tagCount)
                while index < end {
                    unsafe arguments[index] = DecodedArgument(.absent)
                    index &+= 1
                }
            }
        }
    }

    /// Decodes the optional source, which is usually text.
    @inline(__always)
    private func decodedSource(
        _ line: LineView, _ source: Range<Int>?, _ index: Int, _ extra: inout Message.Extra
    ) -> DecodedArgument {
        guard let source else { return DecodedArgument(.absent) }
        guard unsafe plan.steps[line.command.firstStep &+ index].conversion == .text else {
            return unsafe decodedUnusualSource(line, source, index, &extra)
        }
        return DecodedArgument(
            .text, 0, Int32(truncatingIfNeeded: source.lowerBound),
            Int32(truncatingIfNeeded: source.upperBound))
    }

    @inline(never)
    private func decodedUnusualSource(
        _ line: LineView, _ source: Range<Int>, _ index: Int, _ extra: inout Message.Extra
    ) -> DecodedArgument {
        unsafe raw(line, source, index, &extra)
    }

    @inline(never)
    private func handleFieldCount(
        _ line: LineView, _ arguments: UnsafeMutablePointer<DecodedArgument>,
        _ extra: inout Message.Extra
    ) {
        let count = unsafe line.command.stepCount
        let fieldCount = unsafe line.fields.count
        guard fieldCount < count else {
            unsafe handleExtraFields(line, fieldCount - count, arguments, &extra)
            return
        }
        for index in fieldCount..<count {
            unsafe arguments[index] = zero(line, index)
        }
        extra.issues.append(.tooFew(missing: count - fieldCount))
    }

    func handleExtraFields(
        _ line: LineView, _ count: Int, _ arguments: UnsafeMutablePointer<DecodedArgument>,
        _ extra: inout Message.Extra
    ) {
        let command = unsafe line.command
        let fieldCount = unsafe line.fields.count
        guard command.tooMany == .joinLast, command.lastPositional >= 0, !isKeyed,
            count < fieldCount
        else {
            extra.issues.append(.tooMany(extra: count))
            return
        }
        let first = fieldCount - count - 1
        let lower = unsafe line.fields[first].range.lowerBound
        let upper = unsafe line.fields[fieldCount - 1].range.upperBound
        let hasEscape = (first..<fieldCount).contains { unsafe line.fields[$0].hasEscape }
        unsafe arguments[command.lastPositional] = decoded(
            line, Field(lower, upper, hasEscape), command.lastPositional, &extra)
    }
}

/// Pointers into the line being decoded, valid only during decoding.
@unsafe
struct LineView {
    let bytes: UnsafeBufferPointer<UInt8>
    let fields: UnsafeBufferPointer<Field>
    let command: ArgumentPlan.Command
}
