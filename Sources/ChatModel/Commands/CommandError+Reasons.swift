import LineProtocol

extension CommandError {
    static func notInTable(
        _ name: String, _ direction: Direction, _ dialect: Dialect
    ) -> CommandError {
        let other = dialect.commands.command(named: name, direction.opposite) != nil
        let speaker = direction == .fromClient ? "client" : "server"
        return CommandError(
            .unknownCommand, command: name,
            message: other
                ? "the dialect \(dialect.name) has it, but the \(speaker) does not send it"
                : "the dialect \(dialect.name) has no such command of the \(speaker)")
    }

    static func notAnArgument(_ name: String, _ signature: CommandSignature) -> CommandError {
        let known = signature.arguments.map(\.name).joined(separator: ", ")
        return CommandError(
            .unknownArgument, command: signature.name, argument: name,
            message: known.isEmpty
                ? "the command has no arguments"
                : "the command has no such argument; it has \(known)")
    }

    /// An issue of a line that the dialect does not let pass.
    init(
        _ issue: MessageIssue, _ signature: CommandSignature, _ message: borrowing Message,
        _ buffer: Span<UInt8>
    ) {
        switch issue {
        case .unknownCommand:
            self.init(.unknownCommand, command: signature.name, message: "no such command")
        case .tooFew(let missing):
            self.init(missing, signature, message)
        case .tooMany(let extra):
            self.init(
                .extraArguments, command: signature.name,
                message: "\(extra) arguments more than the \(signature.arguments.count) it has")
        case .invalidArgument(let place):
            let argument = signature.arguments[place]
            self.init(
                .valueMismatch, command: signature.name, argument: argument.name, position: place,
                message:
                    "expected \(argument.type.name), got \(message.shown(place, signature, buffer))"
            )
        case .badEscape(let place, let error):
            self.init(
                .valueMismatch, command: signature.name,
                argument: signature.arguments[place].name, position: place,
                message: "\(error.reason.explanation) at byte \(error.offset)")
        }
    }

    /// A line that is not framed as the dialect has it.
    init(_ issue: FrameIssue) {
        let message =
            switch issue {
            case .lineOverLimit(let excess): "\(excess) bytes longer than a line may be"
            case .tagsOverLimit(let excess): "its tags are \(excess) bytes longer than they may be"
            case .payloadLengthInvalid: "the payload's length is missing or no number"
            case .payloadOverLimit(let length): "a payload of \(length) bytes is too long"
            case .payloadNotTerminated: "the payload is not as long as the line says"
            case .bufferOverLimit(let refused): "\(refused) bytes had no room"
            case .unterminated: "the connection ended inside the line"
            }
        self.init(.badFrame, command: "a line", message: message)
    }

    /// The first of the required arguments that did not come.
    private init(_ missing: Int, _ signature: CommandSignature, _ message: borrowing Message) {
        let given = message.split.fields.count
        let place = signature.arguments.indices.first { place in
            signature.arguments[place].isRequired && place >= given
        }
        self.init(
            .missingArgument, command: signature.name,
            argument: place.map { signature.arguments[$0].name }, position: place,
            message: "\(missing) of the required arguments missing")
    }

    /// Why a command has no line.
    init(_ error: LineProtocol.EncodingError, _ signature: CommandSignature) {
        var message = error.reason.explanation
        if case .wrongType = error.reason, let place = error.argumentIndex,
            signature.arguments[place].isList
        {
            message += " that is read as it was written: no element may hold the separator, and "
            message += "a single one may not be empty"
        }
        self.init(
            .unsendable, command: signature.name, argument: error.argument,
            position: error.argumentIndex,
            message: message)
    }
}

extension LineProtocol.EncodingError.Reason {
    fileprivate var explanation: String {
        switch self {
        case .noSuchCommand: "the dialect has no such command"
        case .tooManyValues(let given): "\(given) values are more than it has arguments"
        case .tooManyFields(let max): "more than the \(max) fields that a line has"
        case .verbMissing: "it needs its own name as an argument"
        case .verbInvalid: "the name given is not a command of this kind"
        case .wrongType(let expected): "expected \(expected)"
        case .escape(let error): "\(error.reason.explanation) at byte \(error.offset)"
        case .gap: "it is left out, so that a reader would take a later argument for it"
        case .framing: "the line or its payload cannot be framed"
        }
    }
}

extension EscapeError.Reason {
    fileprivate var explanation: String {
        switch self {
        case .unknownEscape(let letter): "an escape that means nothing (\(shown([letter])))"
        case .loneEscape: "an escape without a letter"
        case .unrepresentable(let byte): "a byte that has no spelling here (\(shown([byte])))"
        case .emptyValue: "an empty value, which has no spelling here"
        }
    }
}

extension Message {
    /// What stands on the line for the argument at `place`.
    fileprivate func shown(
        _ place: Int, _ signature: CommandSignature, _ buffer: Span<UInt8>
    ) -> String {
        let field: Field?
        if case .key(let key) = signature.arguments[place].place {
            field = split.field(key: key, in: buffer)
        } else {
            let turn = signature.arguments[..<place].count { $0.place == .field }
            field = split.fields.indices.contains(turn) ? split.fields[turn] : nil
        }
        guard let range = field?.value, range.upperBound <= buffer.count else {
            return "something else"
        }
        return ChatModel.shown(range.map { buffer[$0] })
    }
}
