extension MessageDecoder {
    /// Arguments that may be optional, keyed, or stand outside the fields.
    func decodePlaces(
        _ bytes: Span<UInt8>, _ command: Int, _ frame: Frame, _ message: inout Message
    ) {
        let signature = commands.signatures[command]
        let positional = positionalFields(message.split)
        let required = signature.arguments.count { $0.isPositional && $0.isRequired }
        var extra = max(0, positional.count - required)
        var next = 0
        var missing = 0
        for (place, argument) in signature.arguments.enumerated() {
            guard argument.isPositional else {
                if !decodeNamed(bytes, argument, place, frame, &message) { missing += 1 }
                continue
            }
            if argument.presence == .variadic {
                message.arguments.append(
                    DecodedArgument(.list, number: Int64(next), scale: Int32(extra)))
                next += extra
                extra = 0
            } else if next < positional.count, argument.isRequired || extra > 0 {
                if !argument.isRequired { extra -= 1 }
                append(
                    bytes, message.split.fields[positional[next]], argument.type, place, &message)
                next += 1
            } else {
                if argument.isRequired { missing += 1 }
                appendDefault(argument, &message)
            }
        }
        if missing > 0 { message.issues.append(.tooFew(missing: missing)) }
        if next < positional.count {
            tooMany(bytes, command, extra: positional.count - next, &message)
        }
    }

    /// The places of the fields that are arguments by their order.
    private func positionalFields(_ split: SplitLine) -> [Int] {
        guard syntax.keyValue != nil else { return Array(split.fields.indices) }
        return split.fields.indices.filter {
            split.fields[$0].key == nil && !split.fields[$0].range.isEmpty
        }
    }

    private func appendDefault(_ argument: ArgumentSignature, _ message: inout Message) {
        guard let value = argument.defaultValue else {
            message.arguments.append(
                argument.isRequired
                    ? ValueConversion.zero(argument.type) : DecodedArgument(.absent))
            return
        }
        let lower = message.scratch.count
        message.scratch.append(contentsOf: ValueConversion.bytes(value, argument.type) ?? [])
        let range = lower..<message.scratch.count
        var decoded = ValueConversion.scalar(message.scratch.span, range, argument.type)
        decoded?.isInScratch = true
        message.arguments.append(decoded ?? ValueConversion.zero(argument.type))
    }

    /// Decodes an argument that stands outside the order. Returns false if a required one is missing.
    private func decodeNamed(
        _ bytes: Span<UInt8>, _ argument: ArgumentSignature, _ place: Int, _ frame: Frame,
        _ message: inout Message
    ) -> Bool {
        switch argument.place {
        case .key(let key):
            let firstWins = syntax.keyValue?.firstWins ?? true
            if let field = message.split.field(key: key, in: bytes, firstWins: firstWins) {
                append(bytes, field, argument.type, place, &message)
                return true
            }
        case .option(let name):
            let found = message.split.field(key: name, in: bytes)
            message.arguments.append(
                DecodedArgument(.bool, number: found?.form == .option ? 1 : 0))
            return true
        case .source:
            if let source = message.split.source {
                appendRaw(bytes, source, argument.type, place, &message)
                return true
            }
        case .verb:
            appendRaw(bytes, message.split.verb, argument.type, place, &message)
            return true
        case .payload:
            if let payload = frame.payload {
                appendPayload(bytes, payload, argument.type, place, frame, &message)
                return true
            }
        case .tag(let key):
            if appendTag(bytes, key, argument.type, place, &message) { return true }
        case .field, .payloadLength, .correlation:
            break
        }
        appendDefault(argument, &message)
        return !argument.isRequired
    }

    private func appendRaw(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ type: ArgumentType, _ place: Int,
        _ message: inout Message
    ) {
        appendOrReport(ValueConversion.scalar(bytes, range, type), type, place, &message)
    }

    private func appendPayload(
        _ bytes: Span<UInt8>, _ payload: Range<Int>, _ type: ArgumentType, _ place: Int,
        _ frame: Frame, _ message: inout Message
    ) {
        guard frame.payloadIsBlock else {
            appendRaw(bytes, payload, type, place, &message)
            return
        }
        let lower = message.scratch.count
        let terminator =
            message.direction == .fromClient
            ? blockTerminators.fromClient : blockTerminators.fromServer
        DotStuffing.unstuff(bytes, payload, terminator: terminator, into: &message.scratch)
        appendScratch(from: lower, type, place, &message)
    }

    private func appendScratch(
        from lower: Int, _ type: ArgumentType, _ place: Int, _ message: inout Message
    ) {
        let range = lower..<message.scratch.count
        var value = ValueConversion.scalar(message.scratch.span, range, type)
        value?.isInScratch = true
        appendOrReport(value, type, place, &message)
    }

    /// Appends the value of a tag: the last of several equal ones wins, one without a value is missing
    /// (IRCv3 message tags).
    private func appendTag(
        _ bytes: Span<UInt8>, _ key: [UInt8], _ type: ArgumentType, _ place: Int,
        _ message: inout Message
    ) -> Bool {
        guard let tags = message.split.tags, let syntax = syntax.tags,
            let range = TagSection.value(of: key, bytes, tags, syntax), !range.isEmpty
        else { return false }
        let lower = message.scratch.count
        do {
            try escaping.tagValue.decode(bytes, range, into: &message.scratch)
        } catch {
            message.issues.append(.badEscape(place, error))
        }
        appendScratch(from: lower, type, place, &message)
        return true
    }
}

extension ArgumentSignature {
    /// Whether the argument takes its turn among the fields.
    var isPositional: Bool {
        switch place {
        case .field, .payloadLength, .correlation: true
        default: false
        }
    }
}
