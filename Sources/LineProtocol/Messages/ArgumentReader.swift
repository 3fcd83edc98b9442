/// Reads the arguments of lines: what a ``MessageDecoder`` does once the command is found.
///
/// A class, so that what it holds is reached by one reference, without counting those in it for a line.
final class ArgumentReader: Sendable {
    let divider: LineDivider
    let escaping: Escaping
    let tags: FieldSyntax.TagSyntax?
    let isKeyed: Bool
    let firstKeyWins: Bool
    let plan: ArgumentPlan
    private let fromClient: VerbIndex
    private let fromServer: VerbIndex
    private let clientEnds: LineEnds
    private let serverEnds: LineEnds

    init(_ dialect: Dialect) {
        divider = LineDivider(dialect)
        escaping = dialect.escaping
        tags = dialect.syntax.tags
        isKeyed = dialect.syntax.keyValue != nil
        firstKeyWins = dialect.syntax.keyValue?.firstWins ?? true
        plan = ArgumentPlan(dialect)
        fromClient = dialect.commands.index(.fromClient)
        fromServer = dialect.commands.index(.fromServer)
        clientEnds = LineEnds(dialect.framing.fromClient.accepted)
        serverEnds = LineEnds(dialect.framing.fromServer.accepted)
    }

    /// The commands of one direction.
    func index(_ direction: Direction) -> VerbIndex {
        direction == .fromClient ? fromClient : fromServer
    }

    /// What ends the lines of a block.
    func blockEnds(_ direction: Direction) -> LineEnds {
        direction == .fromClient ? clientEnds : serverEnds
    }

    /// Divides the line in `range` and reads its arguments.
    func read(
        _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, into message: inout Message
    ) {
        unsafe divider.split(bytes, range, into: &message.split)
        message.command = unsafe index(message.direction).find(bytes, message.split.parts.verb)
        guard let place = message.command else {
            message.arguments.removeAll()
            message.extra.issues.append(.unknownCommand)
            return
        }
        let command = plan.commands[place]
        let line = unsafe LineView(
            bytes: bytes, fields: message.split.fields.elements, command: command)
        let arguments = unsafe message.arguments.roomForWriting(command.stepCount)
        if command.isPositional {
            unsafe decodePositional(line, arguments, &message.extra)
        } else {
            unsafe decodePlaces(line, arguments, &message)
        }
        message.arguments.setCount(command.stepCount)
    }

    /// Arguments that are all required and stand in order: most commands of most dialects.
    @inline(__always)
    private func decodePositional(
        _ line: LineView, _ arguments: UnsafeMutablePointer<DecodedArgument>,
        _ extra: inout Message.Extra
    ) {
        let count = unsafe line.command.stepCount
        let fieldCount = unsafe line.fields.count
        for place in 0..<min(count, fieldCount) {
            unsafe arguments[place] = decoded(line, line.fields[place], place, &extra)
        }
        if fieldCount == count { return }
        unsafe dealWithCount(line, arguments, &extra)
    }

    /// Deals with fewer or more fields than arguments.
    @inline(never)
    private func dealWithCount(
        _ line: LineView, _ arguments: UnsafeMutablePointer<DecodedArgument>,
        _ extra: inout Message.Extra
    ) {
        let count = unsafe line.command.stepCount
        let fieldCount = unsafe line.fields.count
        guard fieldCount < count else {
            unsafe tooMany(line, fieldCount - count, arguments, &extra)
            return
        }
        for place in fieldCount..<count {
            unsafe arguments[place] = zero(line, place)
        }
        extra.issues.append(.tooFew(missing: count - fieldCount))
    }

    /// Deals with fields that are left over.
    func tooMany(
        _ line: LineView, _ count: Int, _ arguments: UnsafeMutablePointer<DecodedArgument>,
        _ extra: inout Message.Extra
    ) {
        extra.issues.append(.tooMany(extra: count))
        let command = unsafe line.command
        let fieldCount = unsafe line.fields.count
        guard command.tooMany == .joinLast, command.lastPositional >= 0, !isKeyed,
            count < fieldCount
        else { return }
        let first = fieldCount - count - 1
        let lower = unsafe line.fields[first].range.lowerBound
        let upper = unsafe line.fields[fieldCount - 1].range.upperBound
        let hasEscape = (first..<fieldCount).contains { unsafe line.fields[$0].hasEscape }
        unsafe arguments[command.lastPositional] = decoded(
            line, Field(lower, upper, hasEscape), command.lastPositional, &extra)
    }
}

/// A line that is being decoded, by pointers that hold meanwhile.
@unsafe
struct LineView {
    let bytes: UnsafeBufferPointer<UInt8>
    let fields: UnsafeBufferPointer<Field>
    let command: ArgumentPlan.Command
}
