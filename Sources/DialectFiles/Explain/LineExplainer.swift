import Diagnostics
public import LineProtocol

/// An explainer for the lines of a dialect: their fields, types and values, and any violations of
/// the dialect.
public struct LineExplainer: Sendable {
    private let dialect: Dialect
    private let decoder: MessageDecoder

    /// Creates an explainer for lines of this dialect.
    public init(_ dialect: Dialect) {
        self.dialect = dialect
        decoder = MessageDecoder(dialect)
    }

    /// Explains the first line in `bytes`, including its payload.
    ///
    /// - Parameters:
    ///   - bytes: a line, with or without its terminator.
    ///   - direction: the side that sent it; nil to infer it from the command.
    public func explain(_ bytes: [UInt8], direction: Direction? = nil) -> LineExplanation {
        if let direction { return read(bytes, direction, wasGiven: true) }
        let both = [Direction.fromServer, .fromClient].map { read(bytes, $0, wasGiven: false) }
        let known = both.filter { $0.signature != nil }
        let best = known.min { $0.issues.count < $1.issues.count }
        var result = best ?? both[0]
        if known.count == 2, known[0].signature != known[1].signature {
            result.issues.append("the other side has a different command with this wire name")
        }
        return result
    }

    private func read(
        _ bytes: [UInt8], _ direction: Direction, wasGiven: Bool
    ) -> LineExplanation {
        var framer = LineFramer(dialect, direction: direction)
        framer.append(bytes)
        let frame =
            framer.next() ?? framer.finish()
            ?? Frame(line: 0..<0, whole: 0..<0, issue: .unterminated)
        var message = Message()
        let buffer = framer.buffer
        decoder.decode(buffer.span, frame, from: direction, into: &message)
        let signature = message.command.map { dialect.commands.signatures[$0] }
        let reading = Reading(
            dialect: dialect, buffer: buffer, frame: frame, message: message,
            signature: signature)
        let side = dialect.framing.side(direction)
        let counted = side.limits.countsTerminator ? (frame.terminator ?? side.terminator).count : 0
        return LineExplanation(
            line: Array(buffer[frame.line]), terminator: frame.terminator, direction: direction,
            directionWasGiven: wasGiven, lineBytes: frame.line.count + counted - reading.tagBytes,
            lineBytesMax: side.limits.lineBytesMax, tags: reading.tags,
            source: message.split.source.map { Array(buffer[$0]) },
            verb: Array(buffer[message.split.verb]), signature: signature,
            arguments: reading.arguments, payload: frame.payload.map { Array(buffer[$0]) },
            issues: reading.issues)
    }
}

/// A decoded line, used to build its explanation.
private struct Reading {
    let dialect: Dialect
    let buffer: [UInt8]
    let frame: Frame
    let message: Message
    let signature: CommandSignature?

    private var syntax: FieldSyntax { dialect.syntax[message.direction] }

    // MARK: Tags

    /// Number of bytes in the tag section, including the marker before it and the separator after
    /// it.
    var tagBytes: Int { message.split.tags.map { $0.count + 2 } ?? 0 }

    var tags: [LineExplanation.Tag] {
        guard let range = message.split.tags, let tags = syntax.tags else { return [] }
        return TagSection.tags(buffer.span, range, tags).map { tag in
            let raw = Array(buffer[tag.value])
            return LineExplanation.Tag(
                key: Array(buffer[tag.key]),
                value: (try? dialect.escaping[message.direction].tagValue.decode(raw)) ?? raw)
        }
    }

    // MARK: Arguments

    var arguments: [LineExplanation.Argument] {
        guard let signature else { return message.split.fields.map { stray($0) } }
        let fields = fieldsByArgument(signature)
        var result = signature.arguments.indices.map { index in
            argument(index, signature, fields.taken[index] ?? [])
        }
        result += fields.left.map { stray($0) }
        return result
    }

    private func stray(_ field: Field) -> LineExplanation.Argument {
        let raw =
            field.isMember
            ? Array(buffer[(field.range.lowerBound - 1)..<field.json.upperBound])
            : Array(buffer[field.range])
        return LineExplanation.Argument(
            name: nil, type: .bytes, raw: raw, value: .bytes(raw), position: "",
            note: signature == nil ? "" : "not declared")
    }

    private func argument(
        _ index: Int, _ signature: CommandSignature, _ fields: [Field]
    ) -> LineExplanation.Argument {
        let argument = signature.arguments[index]
        let raw = raw(argument, fields)
        let value = message.value(at: index, of: signature, in: buffer.span)
        var note = ""
        if raw == nil, argument.presence != .variadic, argument.position.canBeMissing {
            note =
                argument.defaultValue != nil
                ? "missing, default used"
                : argument.isRequired ? "missing, read as \(argument.type.zeroWord)" : "omitted"
        }
        if message.issues.contains(.invalidArgument(index)) {
            note = "not of type \(argument.type.name), read as \(argument.type.zeroWord)"
        }
        return LineExplanation.Argument(
            name: argument.name, type: argument.type, raw: raw, value: value,
            position: argument.position.word, note: note)
    }

    private func raw(_ argument: ArgumentSignature, _ fields: [Field]) -> [UInt8]? {
        if let json = syntax.json, argument.position != .verb {
            let member = message.split.member(of: argument, json, in: buffer.span)
            return member.map { Array(buffer[$0.json]) }
        }
        switch argument.position {
        case .field, .payloadLength, .correlation:
            guard let first = fields.first, let last = fields.last else { return nil }
            return Array(buffer[first.range.lowerBound..<last.range.upperBound])
        case .key(let key):
            let firstWins = syntax.keyValue?.firstWins ?? true
            let field = message.split.field(key: key, in: buffer.span, firstWins: firstWins)
            return field.map { Array(buffer[$0.value]) }
        case .option(let name):
            let field = message.split.field(key: name, in: buffer.span)
            return field?.form == .option ? [] : nil
        case .source: return message.split.source.map { Array(buffer[$0]) }
        case .verb: return Array(buffer[message.split.verb])
        case .payload: return frame.payload.map { Array(buffer[$0]) }
        case .tag(let key):
            guard let range = message.split.tags, let tags = syntax.tags else {
                return nil
            }
            let tag = TagSection.tags(buffer.span, range, tags).last {
                buffer[$0.key].elementsEqual(key)
            }
            return tag.map { Array(buffer[$0.value]) }
        }
    }

    /// Returns the fields of each argument, assigned as the decoder assigns them, and any leftover
    /// fields.
    private func fieldsByArgument(
        _ signature: CommandSignature
    ) -> (taken: [Int: [Field]], left: [Field]) {
        var fields = Array(message.split.fields)[...]
        if let json = syntax.json {
            return ([:], strayMembers(signature, json))
        }
        if syntax.keyValue != nil {
            fields = fields.filter { $0.key == nil && !$0.range.isEmpty }[...]
        }
        let ordered = signature.arguments.enumerated().filter { $0.element.position.isInOrder }
        var extra = max(0, fields.count - ordered.count { $0.element.isRequired })
        var taken: [Int: [Field]] = [:]
        for (index, argument) in ordered {
            if argument.presence == .variadic {
                taken[index] = Array(fields.prefix(extra))
                fields = fields.dropFirst(extra)
                extra = 0
            } else if let field = fields.first, argument.isRequired || extra > 0 {
                if !argument.isRequired { extra -= 1 }
                taken[index] = [field]
                fields = fields.dropFirst()
            }
        }
        let tolerance = signature.tolerance ?? dialect.tolerance
        if tolerance.tooMany == .joinLast, let last = ordered.last?.offset, taken[last] != nil {
            taken[last]?.append(contentsOf: fields)
            fields = []
        }
        return (taken, Array(fields))
    }

    /// Returns the JSON members that no argument refers to.
    private func strayMembers(_ signature: CommandSignature, _ json: JSONSyntax) -> [Field] {
        var known = signature.arguments.compactMap { json.path(of: $0)?.steps.first }
        if case .key(let path) = json.form, let first = path.steps.first { known.append(first) }
        return message.split.fields.filter { field in
            guard let key = field.key.map({ Array(buffer[$0]) }) else { return false }
            return !known.contains((try? EscapeRule.json.decode(key)) ?? key)
        }
    }

    // MARK: Issues

    var issues: [String] {
        var result: [String] = []
        // Lines are usually given without a terminator, so `unterminated` is reported only if the
        // payload is truncated.
        if let issue = frame.issue, issue != .unterminated || frame.payload != nil {
            result.append(words(issue))
        }
        let tolerance = signature?.tolerance ?? dialect.tolerance
        for issue in message.issues {
            let isTolerated = issue.isTolerated(by: tolerance)
            result.append(words(issue) + (isTolerated ? " (tolerated)" : ""))
        }
        if message.split.rowCount > 1 {
            result.append("the line has \(message.split.rowCount) rows: only the first is shown")
        }
        return result
    }

    private func words(_ issue: FrameIssue) -> String {
        switch issue {
        case .lineOverLimit(let excess): "the line is \(counted(excess, "byte")) too long"
        case .tagsOverLimit(let excess): "the tags are \(counted(excess, "byte")) too long"
        case .payloadLengthInvalid: "the payload length is invalid"
        case .payloadOverLimit(let length): "the \(length)-byte payload exceeds the maximum size"
        case .payloadNotTerminated: "the payload does not have the declared length"
        case .bufferOverLimit(let refused): "\(counted(refused, "byte")) did not fit in the buffer"
        case .unterminated: "the payload is incomplete"
        }
    }

    private func words(_ issue: MessageIssue) -> String {
        func name(_ index: Int) -> String { signature?.arguments[index].name ?? "\(index)" }
        switch issue {
        case .unknownCommand: return "the dialect does not define this command"
        case .notJSON(let error): return error.words
        case .tooFew(let missing):
            return missing == 1 ? "one argument is missing" : "\(missing) arguments are missing"
        case .tooMany(let extra):
            return extra == 1 ? "one extra field" : "\(extra) extra fields"
        case .invalidArgument(let index):
            let type = signature?.arguments[index].type.name ?? ""
            return "`\(name(index))` is not of type \(type)"
        case .badEscape(let index, let error):
            switch error.reason {
            case .unknownEscape(let letter):
                return
                    "`\(name(index))` contains an unknown escape: \(ByteName.shown(letter))"
            case .loneSurrogate: return "`\(name(index))` contains an unpaired surrogate"
            case .loneEscape: return "`\(name(index))` ends with the escape byte"
            default: return "`\(name(index))` contains an invalid escape"
            }
        }
    }
}

extension ArgumentSignature.Position {
    /// Description of this position in the line; empty for a plain field.
    fileprivate var word: String {
        switch self {
        case .field: ""
        case .key: "key"
        case .payload: "payload"
        case .payloadLength: "payload length"
        case .correlation: "transaction id"
        case .source: "source"
        case .tag: "tag"
        case .option: "option"
        case .verb: "command"
        }
    }

    fileprivate var canBeMissing: Bool {
        if case .option = self { false } else { true }
    }
}

extension ArgumentType {
    /// Description of the value that replaces a missing or invalid one.
    fileprivate var zeroWord: String {
        switch self {
        case .int, .decimal, .time: "0"
        case .bool: "false"
        case .choice(let words): words.first ?? "empty"
        default: "empty"
        }
    }
}
