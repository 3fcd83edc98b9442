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
                ? "the \(dialect.name) dialect has this command, but the \(speaker) does not send it"
                : "the \(dialect.name) dialect has no \(speaker) command with this name")
    }

    static func notAnArgument(_ name: String, _ signature: CommandSignature) -> CommandError {
        let known = signature.arguments.map(\.name).joined(separator: ", ")
        return CommandError(
            .unknownArgument, command: signature.name, argument: name,
            message: known.isEmpty
                ? "the command has no arguments"
                : "the command has no such argument; its arguments are \(known)")
    }

    /// Creates an error for an issue that the dialect does not tolerate.
    init(
        _ issue: MessageIssue, _ signature: CommandSignature, _ message: borrowing Message,
        _ buffer: Span<UInt8>
    ) {
        switch issue {
        case .unknownCommand:
            self.init(.unknownCommand, command: signature.name, message: "no such command")
        case .notJSON(let error):
            self.init(.unknownCommand, command: signature.name, message: error.words)
        case .tooFew(let missing):
            self.init(missing, signature, message)
        case .tooMany(let extra):
            self.init(
                .extraArguments, command: signature.name,
                message:
                    "extra arguments: \(extra) (the command takes \(signature.arguments.count))"
            )
        case .invalidArgument(let index):
            let argument = signature.arguments[index]
            self.init(
                .valueMismatch, command: signature.name, argument: argument.name, position: index,
                message:
                    "expected \(argument.type.name), got \(message.quotedArgument(index, signature, buffer))"
            )
        case .badEscape(let index, let error):
            self.init(
                .valueMismatch, command: signature.name,
                argument: signature.arguments[index].name, position: index,
                message: "\(error.reason.explanation) at byte \(error.offset)")
        }
    }

    init(_ issue: FrameIssue) {
        func bytes(_ count: Int) -> String { count == 1 ? "1 byte" : "\(count) bytes" }
        let message =
            switch issue {
            case .lineOverLimit(let excess): "the line is \(bytes(excess)) too long"
            case .tagsOverLimit(let excess): "the tags are \(bytes(excess)) too long"
            case .payloadLengthInvalid: "the payload length is missing or not a number"
            case .payloadOverLimit(let length): "the \(length)-byte payload is too long"
            case .payloadNotTerminated: "the payload does not have the declared length"
            case .bufferOverLimit(let refused): "\(bytes(refused)) did not fit in the buffer"
            case .unterminated: "the connection closed mid-line"
            }
        self.init(.badFrame, command: "", message: message)
    }

    /// Creates an error for the first missing required argument.
    private init(_ missing: Int, _ signature: CommandSignature, _ message: borrowing Message) {
        let given = message.split.fields.count
        let index = signature.arguments.indices.first { index in
            signature.arguments[index].isRequired && index >= given
        }
        self.init(
            .missingArgument, command: signature.name,
            argument: index.map { signature.arguments[$0].name }, position: index,
            message: "required arguments missing: \(missing)")
    }

    init(_ error: LineProtocol.EncodingError, _ signature: CommandSignature) {
        var message = error.reason.explanation
        if case .wrongType = error.reason, let index = error.argumentIndex,
            signature.arguments[index].isList
        {
            message += "; no element may contain the separator, and "
            message += "a list cannot consist of one empty element"
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
        case .tooManyValues(let given): "too many values for this command (\(given))"
        case .tooManyFields(let max): "a line has at most \(max) fields"
        case .verbMissing: "the command name must be given as an argument"
        case .verbInvalid: "the given name is not a wire name of this command"
        case .wrongType(let expected): "expected \(expected)"
        case .escape(let error): "\(error.reason.explanation) at byte \(error.offset)"
        case .gap: "missing, so a later argument would be read in its place"
        case .framing: "the line or its payload cannot be framed"
        }
    }
}

extension EscapeError.Reason {
    fileprivate var explanation: String {
        switch self {
        case .unknownEscape(let letter): "unknown escape (\(quoted([letter])))"
        case .loneEscape: "incomplete escape"
        case .unrepresentable(let byte): "cannot encode \(quoted([byte]))"
        case .emptyValue: "cannot encode an empty value"
        case .notUTF8: "invalid UTF-8"
        case .loneSurrogate: "an unpaired surrogate"
        }
    }
}

extension Message {
    /// Returns the argument at `index` as it appears in the line, quoted.
    fileprivate func quotedArgument(
        _ index: Int, _ signature: CommandSignature, _ buffer: Span<UInt8>
    ) -> String {
        let field: Field?
        if case .key(let key) = signature.arguments[index].position {
            field =
                JSONPath(key).flatMap { split.member(at: $0, in: buffer) }
                ?? split.field(key: key, in: buffer)
        } else {
            let turn = signature.arguments[..<index].count { $0.position == .field }
            field = split.fields.indices.contains(turn) ? split.fields[turn] : nil
        }
        guard let range = field?.value, range.upperBound <= buffer.count else {
            return "something else"
        }
        return ChatModel.quoted(range.map { buffer[$0] })
    }
}
