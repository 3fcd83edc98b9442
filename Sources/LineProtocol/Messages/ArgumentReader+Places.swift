extension ArgumentReader {
    /// Arguments that may be optional, keyed, or stand outside the fields.
    @inline(never)
    func decodePlaces(
        _ line: LineView, _ arguments: UnsafeMutablePointer<DecodedArgument>,
        _ message: inout Message
    ) {
        let command = unsafe line.command
        var fields = unsafe FieldCursor(line.fields, isKeyed: isKeyed)
        var spare = max(0, fields.left &- command.requiredCount)
        var missing = 0
        for place in 0..<command.stepCount {
            let step = plan.steps[command.firstStep &+ place]
            // Each way that finds the argument goes on with the next.
            switch step.place {
            case .field:
                guard fields.left > 0, step.isRequired || spare > 0 else { break }
                if !step.isRequired { spare &-= 1 }
                unsafe arguments[place] = decoded(
                    line, fields.take(line.fields), place, &message.extra)
                continue
            case .source:
                guard let source = message.split.source else { break }
                unsafe arguments[place] = raw(line, source, place, &message.extra)
                continue
            case .variadic:
                unsafe arguments[place] = variadic(
                    line, &fields, count: spare, place, &message.extra)
                spare = 0
                continue
            case .verb, .tag, .key, .option, .payload:
                let argument = unsafe named(line, step, place, &message)
                guard let argument else { break }
                unsafe arguments[place] = argument
                continue
            }
            if step.isRequired { missing &+= 1 }
            unsafe arguments[place] = standIn(line, step, place, &message.extra)
        }
        if missing > 0 { message.extra.issues.append(.tooFew(missing: missing)) }
        if fields.left > 0 { unsafe tooMany(line, fields.left, arguments, &message.extra) }
    }

    /// An argument that stands outside the order, or nil if it is missing.
    @inline(never)
    private func named(
        _ line: LineView, _ step: ArgumentPlan.Step, _ place: Int, _ message: inout Message
    ) -> DecodedArgument? {
        switch step.place {
        case .tag:
            guard let tags = message.split.tags else { return nil }
            return unsafe tag(line, tags, step, place, &message.extra)
        case .key:
            guard let field = unsafe field(line, step.name, firstWins: firstKeyWins) else {
                return nil
            }
            return unsafe decoded(line, field, place, &message.extra)
        case .option:
            let field = unsafe field(line, step.name, firstWins: true)
            return DecodedArgument(.bool, number: field?.form == .option ? 1 : 0)
        case .payload:
            return unsafe payload(line, place, &message)
        case .verb:
            return unsafe raw(line, message.split.verb, place, &message.extra)
        case .field, .source, .variadic:
            return nil
        }
    }

    /// Goes through the fields that are arguments by their order.
    private struct FieldCursor {
        private var next = 0
        private(set) var left: Int
        private let isKeyed: Bool

        init(_ fields: UnsafeBufferPointer<Field>, isKeyed: Bool) {
            self.isKeyed = isKeyed
            left = unsafe isKeyed ? fields.count { Self.isPositional($0) } : fields.count
        }

        private static func isPositional(_ field: Field) -> Bool {
            field.key == nil && !field.range.isEmpty
        }

        /// The next field; `left` must be above 0.
        @inline(__always)
        mutating func take(_ fields: UnsafeBufferPointer<Field>) -> Field {
            while isKeyed, unsafe !Self.isPositional(fields[next]) { next &+= 1 }
            next &+= 1
            left &-= 1
            return unsafe fields[next &- 1]
        }
    }

    /// The argument that takes the next `count` fields.
    private func variadic(
        _ line: LineView, _ fields: inout FieldCursor, count: Int, _ place: Int,
        _ extra: inout Message.Extra
    ) -> DecodedArgument {
        let first = extra.elements.count
        for _ in 0..<count {
            let element = unsafe decoded(line, fields.take(line.fields), place, &extra)
            extra.elements.append(element)
        }
        return DecodedArgument(
            .list, number: Int64(first), scale: Int32(truncatingIfNeeded: count))
    }

    /// What a missing argument is: its default, nothing, or where one is required empty, 0 or false.
    @inline(__always)
    private func standIn(
        _ line: LineView, _ step: ArgumentPlan.Step, _ place: Int, _ extra: inout Message.Extra
    ) -> DecodedArgument {
        unsafe step.isRequired || step.defaultValue >= 0
            ? replacement(line, step, place, &extra) : DecodedArgument(.absent)
    }

    @inline(never)
    private func replacement(
        _ line: LineView, _ step: ArgumentPlan.Step, _ place: Int, _ extra: inout Message.Extra
    ) -> DecodedArgument {
        guard step.defaultValue >= 0 else {
            return unsafe zero(line, place)
        }
        let lower = extra.scratch.count
        extra.scratch.append(contentsOf: plan.defaults[step.defaultValue].bytes)
        var argument = plan.defaults[step.defaultValue].argument
        argument.lower = Int32(truncatingIfNeeded: lower)
        argument.upper = Int32(truncatingIfNeeded: extra.scratch.count)
        argument.isInScratch = true
        return argument
    }

    /// An argument of a place where nothing is escaped.
    @inline(__always)
    private func raw(
        _ line: LineView, _ range: Range<Int>, _ place: Int, _ extra: inout Message.Extra
    ) -> DecodedArgument {
        unsafe converted(
            line, Int32(truncatingIfNeeded: range.lowerBound),
            Int32(truncatingIfNeeded: range.upperBound), place, &extra)
    }

    /// The field of the first row with the key that stands at `name` in the plan.
    private func field(_ line: LineView, _ name: Int, firstWins: Bool) -> Field? {
        var result: Field?
        let bytes = unsafe line.bytes.span
        for place in unsafe 0..<line.fields.count {
            let field = unsafe line.fields[place]
            guard field.row == 0 else { break }
            guard let key = field.key, bytes.matches(key, plan.names[name], ignoringCase: false)
            else { continue }
            if firstWins { return field }
            result = field
        }
        return result
    }

    private func payload(
        _ line: LineView, _ place: Int, _ message: inout Message
    ) -> DecodedArgument? {
        guard let payload = message.payload else { return nil }
        guard message.payloadIsBlock else {
            return unsafe raw(line, payload, place, &message.extra)
        }
        let bytes = unsafe line.bytes
        let ends = blockEnds(message.direction)
        return unsafe inScratch(line, place, &message.extra) { scratch in
            unsafe DotStuffing.unstuff(bytes.span, payload, ends: ends, into: &scratch)
        }
    }

    /// The value of a tag: the last of several equal ones wins (IRCv3 message tags). One without a value
    /// is the same as one with an empty value: no number, no time, but a text.
    private func tag(
        _ line: LineView, _ tags: Range<Int>, _ step: ArgumentPlan.Step, _ place: Int,
        _ extra: inout Message.Extra
    ) -> DecodedArgument? {
        let bytes = unsafe line.bytes
        guard let syntax = self.tags,
            let range = unsafe TagSection.value(
                of: plan.names[step.name], bytes.span, tags, syntax),
            !range.isEmpty || step.conversion.isText
        else { return nil }
        guard let marker = escaping.tagValue.marker,
            unsafe firstPlace(of: marker, in: bytes.span, range) != nil
        else { return unsafe raw(line, range, place, &extra) }
        return unsafe inScratch(line, place, &extra) { (scratch) throws(EscapeError) in
            try unsafe escaping.tagValue.decode(bytes.span, range, into: &scratch)
        }
    }
}
