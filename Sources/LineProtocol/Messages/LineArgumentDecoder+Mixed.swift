extension LineArgumentDecoder {
    /// Decodes arguments that may be optional, have keys, or come from other parts of the line.
    @inline(never)
    func decodeMixed(
        _ line: LineView, _ arguments: UnsafeMutablePointer<DecodedArgument>,
        _ message: inout Message
    ) {
        let command = unsafe line.command
        var fields = unsafe FieldCursor(line.fields, isKeyed: isKeyed)
        var spare = max(0, fields.left &- command.requiredCount)
        var missing = 0
        let hasTags = message.split.tags != nil
        var next = 0
        while next < command.stepCount {
            let index = next
            let step = plan.steps[command.firstStep &+ index]
            if step.tagCount > 0, !hasTags {
                next &+= step.tagCount
                for absent in index..<next {
                    unsafe arguments[absent] = DecodedArgument(.absent)
                }
                continue
            }
            next &+= 1
            // A branch that finds the argument continues with the next one; `break` means that the
            // argument is missing.
            switch step.source {
            case .field:
                guard fields.left > 0, step.isRequired || spare > 0 else { break }
                if !step.isRequired { spare &-= 1 }
                unsafe arguments[index] = decoded(
                    line, fields.take(line.fields), index, &message.extra)
                continue
            case .source:
                guard let source = message.split.source else { break }
                unsafe arguments[index] = raw(line, source, index, &message.extra)
                continue
            case .variadic:
                unsafe arguments[index] = variadic(
                    line, &fields, count: spare, index, &message.extra)
                spare = 0
                continue
            case .verb, .tag, .key, .option, .payload:
                let argument = unsafe named(line, step, index, &message)
                guard let argument else { break }
                unsafe arguments[index] = argument
                continue
            }
            if step.isRequired { missing &+= 1 }
            unsafe arguments[index] = missingArgument(line, step, index, &message.extra)
        }
        if missing > 0 { message.extra.issues.append(.tooFew(missing: missing)) }
        if fields.left > 0 {
            unsafe handleExtraFields(line, fields.left, arguments, &message.extra)
        }
    }

    /// Decodes an argument that is not positional; returns nil if it is missing.
    @inline(never)
    private func named(
        _ line: LineView, _ step: ArgumentPlan.Step, _ index: Int, _ message: inout Message
    ) -> DecodedArgument? {
        switch step.source {
        case .tag:
            guard let tags = message.split.tags else { return nil }
            return unsafe tag(line, tags, step, index, &message.extra)
        case .key:
            guard let field = unsafe field(line, step.name, firstWins: firstKeyWins) else {
                return nil
            }
            return unsafe decoded(line, field, index, &message.extra)
        case .option:
            let field = unsafe field(line, step.name, firstWins: true)
            return DecodedArgument(.bool, number: field?.form == .option ? 1 : 0)
        case .payload:
            return unsafe payload(line, index, &message)
        case .verb:
            return unsafe raw(line, message.split.verb, index, &message.extra)
        case .field, .source, .variadic:
            return nil
        }
    }

    /// Cursor over the positional fields.
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

        /// Returns the next field. `left` must be positive.
        @inline(__always)
        mutating func take(_ fields: UnsafeBufferPointer<Field>) -> Field {
            while isKeyed, unsafe !Self.isPositional(fields[next]) { next &+= 1 }
            next &+= 1
            left &-= 1
            return unsafe fields[next &- 1]
        }
    }

    /// Decodes a variadic argument from the next `count` fields.
    private func variadic(
        _ line: LineView, _ fields: inout FieldCursor, count: Int, _ index: Int,
        _ extra: inout Message.Extra
    ) -> DecodedArgument {
        let first = extra.elements.count
        for _ in 0..<count {
            let element = unsafe decoded(line, fields.take(line.fields), index, &extra)
            extra.elements.append(element)
        }
        return DecodedArgument(
            .list, number: Int64(first), scale: Int32(truncatingIfNeeded: count))
    }

    /// Returns the value for a missing argument: the default if there is one; otherwise, an empty
    /// value for a required argument and `absent` for an optional one.
    @inline(__always)
    func missingArgument(
        _ line: LineView, _ step: ArgumentPlan.Step, _ index: Int, _ extra: inout Message.Extra
    ) -> DecodedArgument {
        unsafe step.isRequired || step.defaultValue >= 0
            ? replacement(line, step, index, &extra) : DecodedArgument(.absent)
    }

    @inline(never)
    private func replacement(
        _ line: LineView, _ step: ArgumentPlan.Step, _ index: Int, _ extra: inout Message.Extra
    ) -> DecodedArgument {
        guard step.defaultValue >= 0 else {
            return unsafe zero(line, index)
        }
        let lower = extra.scratch.count
        extra.scratch.append(contentsOf: plan.defaults[step.defaultValue].bytes)
        var argument = plan.defaults[step.defaultValue].argument
        argument.lower = Int32(truncatingIfNeeded: lower)
        argument.upper = Int32(truncatingIfNeeded: extra.scratch.count)
        argument.isInScratch = true
        return argument
    }

    /// Decodes an argument that is never escaped.
    @inline(__always)
    func raw(
        _ line: LineView, _ range: Range<Int>, _ index: Int, _ extra: inout Message.Extra
    ) -> DecodedArgument {
        unsafe converted(
            line, Int32(truncatingIfNeeded: range.lowerBound),
            Int32(truncatingIfNeeded: range.upperBound), index, &extra)
    }

    /// Searches the first row for a field with the key `plan.names[name]`. Returns the first such
    /// field, or the last one if `firstWins` is false; nil if there is none.
    private func field(_ line: LineView, _ name: Int, firstWins: Bool) -> Field? {
        var result: Field?
        let bytes = unsafe line.bytes.span
        for index in unsafe 0..<line.fields.count {
            let field = unsafe line.fields[index]
            guard field.row == 0 else { break }
            guard let key = field.key, bytes.matches(key, plan.names[name], ignoringCase: false)
            else { continue }
            if firstWins { return field }
            result = field
        }
        return result
    }

    private func payload(
        _ line: LineView, _ index: Int, _ message: inout Message
    ) -> DecodedArgument? {
        guard let payload = message.payload else { return nil }
        guard message.payloadIsBlock else {
            return unsafe raw(line, payload, index, &message.extra)
        }
        let bytes = unsafe line.bytes
        let ends = blockEnds(message.direction)
        return unsafe inScratch(line, index, &message.extra) { scratch in
            unsafe DotStuffing.unstuff(bytes.span, payload, ends: ends, into: &scratch)
        }
    }

    /// Decodes a tag; returns nil if it is missing. If a tag occurs several times, the last
    /// occurrence counts (IRCv3 message tags). A tag without a value is empty text; for other
    /// types, such as numbers, it counts as missing.
    private func tag(
        _ line: LineView, _ tags: Range<Int>, _ step: ArgumentPlan.Step, _ index: Int,
        _ extra: inout Message.Extra
    ) -> DecodedArgument? {
        let bytes = unsafe line.bytes
        guard let syntax = self.tags,
            let range = unsafe TagSection.value(
                of: plan.names[step.name], bytes.span, tags, syntax),
            !range.isEmpty || step.conversion.isText
        else { return nil }
        guard let marker = escaping.tagValue.marker,
            unsafe firstOffset(of: marker, in: bytes.span, range) != nil
        else { return unsafe raw(line, range, index, &extra) }
        return unsafe inScratch(line, index, &extra) { (scratch) throws(EscapeError) in
            try unsafe escaping.tagValue.decode(bytes.span, range, into: &scratch)
        }
    }
}
