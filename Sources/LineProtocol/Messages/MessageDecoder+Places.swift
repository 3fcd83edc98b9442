extension MessageDecoder {
    /// Arguments that may be optional, keyed, or stand outside the fields.
    func decodePlaces(
        _ bytes: Span<UInt8>, _ command: ArgumentPlan.Command, _ frame: Frame,
        _ message: inout Message
    ) {
        var fields = FieldCursor(message.split, isKeyed: isKeyed)
        var extra = max(0, fields.left - command.requiredCount)
        var missing = 0
        for place in 0..<command.stepCount {
            let step = plan.steps[command.firstStep + place]
            switch step.place {
            case .variadic:
                appendVariadic(bytes, &fields, count: extra, command, place, &message)
                extra = 0
            case .field where fields.left > 0 && (step.isRequired || extra > 0):
                if !step.isRequired { extra -= 1 }
                let field = fields.take(message.split)
                message.arguments.append(decoded(bytes, field, command, place, &message))
            default:
                if let argument = named(bytes, step, command, place, frame, &message) {
                    message.arguments.append(argument)
                } else {
                    if step.isRequired { missing += 1 }
                    appendDefault(step, command.firstStep + place, &message)
                }
            }
        }
        if missing > 0 { message.issues.append(.tooFew(missing: missing)) }
        if fields.left > 0 { tooMany(bytes, command, extra: fields.left, &message) }
    }

    /// Goes through the fields that are arguments by their order.
    private struct FieldCursor {
        private var next = 0
        private(set) var left: Int
        private let isKeyed: Bool

        init(_ split: SplitLine, isKeyed: Bool) {
            self.isKeyed = isKeyed
            left = isKeyed ? split.fields.count { Self.isPositional($0) } : split.fields.count
        }

        private static func isPositional(_ field: Field) -> Bool {
            field.key == nil && !field.range.isEmpty
        }

        /// The next field; `left` must be above 0.
        mutating func take(_ split: SplitLine) -> Field {
            while isKeyed, !Self.isPositional(split.fields[next]) { next += 1 }
            next += 1
            left -= 1
            return split.fields[next - 1]
        }
    }

    /// Appends the argument that takes the next `count` fields.
    private func appendVariadic(
        _ bytes: Span<UInt8>, _ fields: inout FieldCursor, count: Int,
        _ command: ArgumentPlan.Command, _ place: Int, _ message: inout Message
    ) {
        let first = message.elements.count
        for _ in 0..<count {
            let field = fields.take(message.split)
            message.elements.append(decoded(bytes, field, command, place, &message))
        }
        message.arguments.append(
            DecodedArgument(.list, number: Int64(first), scale: Int32(truncatingIfNeeded: count)))
    }

    private func appendDefault(
        _ step: ArgumentPlan.Step, _ index: Int, _ message: inout Message
    ) {
        guard step.defaultValue >= 0 else {
            message.arguments.append(
                step.isRequired
                    ? ValueConversion.zero(plan.types[index]) : DecodedArgument(.absent))
            return
        }
        let lower = message.scratch.count
        message.scratch.append(contentsOf: plan.defaults[step.defaultValue].bytes)
        var argument = plan.defaults[step.defaultValue].argument
        argument.lower = Int32(truncatingIfNeeded: lower)
        argument.upper = Int32(truncatingIfNeeded: message.scratch.count)
        argument.isInScratch = true
        message.arguments.append(argument)
    }

    /// The argument that stands outside the order, or nil if it is missing.
    private func named(
        _ bytes: Span<UInt8>, _ step: ArgumentPlan.Step, _ command: ArgumentPlan.Command,
        _ place: Int, _ frame: Frame, _ message: inout Message
    ) -> DecodedArgument? {
        switch step.place {
        case .field, .variadic:
            return nil
        case .key:
            let firstWins = syntax.keyValue?.firstWins ?? true
            return message.split.field(
                key: plan.names[step.name], in: bytes, firstWins: firstWins
            ).map { decoded(bytes, $0, command, place, &message) }
        case .option:
            let found = message.split.field(key: plan.names[step.name], in: bytes)
            return DecodedArgument(.bool, number: found?.form == .option ? 1 : 0)
        case .source:
            return message.split.source.map { converted(bytes, $0, command, place, &message) }
        case .verb:
            return converted(bytes, message.split.verb, command, place, &message)
        case .payload:
            return payload(bytes, command, place, frame, &message)
        case .tag:
            return tag(bytes, plan.names[step.name], command, place, &message)
        }
    }

    private func payload(
        _ bytes: Span<UInt8>, _ command: ArgumentPlan.Command, _ place: Int, _ frame: Frame,
        _ message: inout Message
    ) -> DecodedArgument? {
        guard let payload = frame.payload else { return nil }
        guard frame.payloadIsBlock else {
            return converted(bytes, payload, command, place, &message)
        }
        let lower = message.scratch.count
        let ends = message.direction == .fromClient ? blockEnds.fromClient : blockEnds.fromServer
        DotStuffing.unstuff(bytes, payload, ends: ends, into: &message.scratch)
        return convertedScratch(from: lower, command, place, &message)
    }

    /// The value of a tag: the last of several equal ones wins (IRCv3 message tags). One without a value
    /// is the same as one with an empty value: no number, no time, but a text.
    private func tag(
        _ bytes: Span<UInt8>, _ key: [UInt8], _ command: ArgumentPlan.Command, _ place: Int,
        _ message: inout Message
    ) -> DecodedArgument? {
        guard let tags = message.split.tags, let syntax = syntax.tags,
            let range = TagSection.value(of: key, bytes, tags, syntax)
        else { return nil }
        if range.isEmpty, !plan.types[command.firstStep + place].isText { return nil }
        if let marker = escaping.tagValue.marker,
            firstPlace(of: marker, in: bytes, range) == nil
        {
            return converted(bytes, range, command, place, &message)
        }
        let lower = message.scratch.count
        do {
            try escaping.tagValue.decode(bytes, range, into: &message.scratch)
        } catch {
            message.issues.append(.badEscape(place, error))
        }
        return convertedScratch(from: lower, command, place, &message)
    }
}
