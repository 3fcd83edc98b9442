/// Decodes lines that are JSON objects.
extension LineArgumentDecoder {
    /// Decodes the arguments of the object in `message.split`.
    func readJSON(_ bytes: UnsafeBufferPointer<UInt8>, into message: inout Message) {
        message.command = nil
        message.arguments.removeAll()
        if let error = message.split.json.error {
            message.extra.issues.append(.notJSON(error))
            return
        }
        message.command = unsafe jsonCommand(bytes, message)
        guard let commandIndex = message.command else {
            message.extra.issues.append(.unknownCommand)
            return
        }
        let command = plan.commands[commandIndex]
        let line = unsafe LineView(
            bytes: bytes, fields: message.split.fields.elements, command: command)
        let arguments = unsafe message.arguments.storageForWriting(command.stepCount)
        unsafe decodeMembers(line, arguments, &message)
        message.arguments.setCount(command.stepCount)
    }

    private func jsonCommand(
        _ bytes: UnsafeBufferPointer<UInt8>, _ message: Message
    ) -> Int? {
        let verb = message.split.parts.verb
        guard message.split.json.verbHasEscape else {
            return unsafe index(message.direction).find(bytes, verb)
        }
        let text = unsafe Array(bytes[verb])
        guard let decoded = try? EscapeRule.json.decode(text) else { return nil }
        return unsafe decoded.withUnsafeBufferPointer { buffer in
            unsafe index(message.direction).find(buffer, 0..<buffer.count)
        }
    }

    private func decodeMembers(
        _ line: LineView, _ arguments: UnsafeMutablePointer<DecodedArgument>,
        _ message: inout Message
    ) {
        let command = unsafe line.command
        var missing = 0
        var known = KnownMembers()
        for index in 0..<command.stepCount {
            let step = plan.steps[command.firstStep &+ index]
            var field: Field?
            switch step.source {
            case .key: unsafe field = member(line, plan.paths[step.name], &known, message)
            case .field: field = message.split.json.id
            case .verb:
                unsafe arguments[index] = raw(
                    line, message.split.parts.verb, index, &message.extra)
                continue
            case .variadic, .option, .payload, .source, .tag: break
            }
            // For an optional argument of a type other than JSON, `null` counts as missing.
            let mayBeNull = step.isRequired || step.conversion == .json
            if let field, unsafe mayBeNull || !isNull(line, field) {
                unsafe arguments[index] = decodedMember(line, field, index, &message.extra)
                continue
            }
            if step.isRequired { missing &+= 1 }
            unsafe arguments[index] = missingArgument(line, step, index, &message.extra)
        }
        if missing > 0 { message.extra.issues.append(.tooFew(missing: missing)) }
        let unknown = unsafe line.fields.count &- known.count
        if unknown > 0, unsafe !isVerbOnly(line, known, unknown) {
            message.extra.issues.append(.tooMany(extra: unknown))
        }
    }

    /// Returns the member at a path, and marks the body's members with the path's first key as
    /// known. Returns nil if there is no such member.
    @inline(__always)
    private func member(
        _ line: LineView, _ path: JSONPath, _ known: inout KnownMembers, _ message: Message
    ) -> Field? {
        guard let first = path.steps.first else {
            known.markAll(unsafe line.fields.count)
            return message.split.json.body
        }
        let firstWins = divider.json?.firstWins ?? false
        var found: Field?
        let fields = unsafe line.fields
        let bytes = unsafe line.bytes.span
        for index in 0..<fields.count {
            let field = unsafe fields[index]
            guard field.hasKey(first, in: bytes) else { continue }
            known.mark(index)
            if !firstWins || found == nil { found = field }
        }
        if fields.isEmpty { found = message.split.json.body?.element(first, in: bytes) }
        guard path.steps.count > 1 else { return found }
        for step in path.steps.dropFirst() {
            found = found?.member(step, in: bytes, firstWins: firstWins)
        }
        return found
    }

    /// Returns true if the only unknown member is the one that contains the command.
    private func isVerbOnly(_ line: LineView, _ known: KnownMembers, _ unknown: Int) -> Bool {
        guard unknown == 1, let container = divider.json?.verbContainer else { return false }
        let fields = unsafe line.fields
        for index in 0..<fields.count where !known.contains(index) {
            return unsafe fields[index].hasKey(container, in: line.bytes.span)
        }
        return false
    }

    @inline(__always)
    private func isNull(_ line: LineView, _ field: Field) -> Bool {
        guard field.form == .jsonValue else { return false }
        return unsafe line.bytes[field.value.lowerBound] == UInt8(ascii: "n")
    }

    /// Decodes a member as the argument at `index`.
    @inline(__always)
    private func decodedMember(
        _ line: LineView, _ field: Field, _ index: Int, _ extra: inout Message.Extra
    ) -> DecodedArgument {
        let step = unsafe line.command.firstStep &+ index
        switch plan.steps[step].conversion {
        case .text, .bytes, .xml:
            guard field.form == .jsonString else { break }
            if field.hasEscape { return unsafe unescaped(line, field, index, &extra) }
            return unsafe raw(line, field.value, index, &extra)
        case .json: return unsafe raw(line, field.json, index, &extra)
        case .int:
            guard field.form == .jsonValue else { break }
            if let number = unsafe shortInteger(
                line.bytes, field.value.lowerBound, field.value.upperBound)
            {
                return DecodedArgument(
                    .int, number, Int32(truncatingIfNeeded: field.value.lowerBound), field.upper)
            }
            if let value = unsafe JSONValues.scalar(line.bytes.span, field, .int) { return value }
        case .digit, .other:
            return unsafe memberByType(line, field, index, plan.types[step], &extra)
        }
        return unsafe invalid(line, index, &extra)
    }

    @inline(never)
    private func memberByType(
        _ line: LineView, _ field: Field, _ index: Int, _ type: ArgumentType,
        _ extra: inout Message.Extra
    ) -> DecodedArgument {
        let bytes = unsafe line.bytes.span
        if case .list(let element, _) = type {
            return unsafe list(line, field, index, element, &extra)
                ?? invalid(line, index, &extra)
        }
        if field.form == .jsonString, field.hasEscape {
            return unsafe unescaped(line, field, index, &extra)
        }
        return unsafe JSONValues.scalar(bytes, field, type) ?? invalid(line, index, &extra)
    }

    @inline(never)
    private func invalid(
        _ line: LineView, _ index: Int, _ extra: inout Message.Extra
    ) -> DecodedArgument {
        extra.issues.append(.invalidArgument(index))
        return unsafe zero(line, index)
    }

    /// Decodes the elements of an array; returns nil if it is not an array or if an element does
    /// not have the type.
    private func list(
        _ line: LineView, _ field: Field, _ index: Int, _ type: ArgumentType,
        _ extra: inout Message.Extra
    ) -> DecodedArgument? {
        guard field.form == .jsonValue, let base = unsafe line.bytes.baseAddress,
            unsafe base[field.value.lowerBound] == ASCII.openBracket
        else { return nil }
        let first = extra.elements.count
        var count = 0
        var isValid = true
        var scanner = unsafe JSONScanner(base, field.value, room: line.bytes.count)
        scanner.forEachElement { element in
            count += 1
            if let value = unsafe self.element(line, element, index, type, &extra) {
                extra.elements.append(value)
            } else {
                isValid = false
            }
            return isValid
        }
        guard isValid else { return nil }
        // The range of an empty array is empty, so that its text `[]` is not parsed as an element.
        return DecodedArgument(
            .list, number: Int64(first), scale: Int32(truncatingIfNeeded: count),
            range: count == 0 ? 0..<0 : field.value)
    }

    private func element(
        _ line: LineView, _ field: Field, _ index: Int, _ type: ArgumentType,
        _ extra: inout Message.Extra
    ) -> DecodedArgument? {
        guard field.form == .jsonString, field.hasEscape else {
            return unsafe JSONValues.scalar(line.bytes.span, field, type)
        }
        let lower = extra.scratch.count
        do {
            try unsafe JSONEscape.decode(line.bytes.span, field.value, into: &extra.scratch)
        } catch {
            extra.issues.append(.badEscape(index, error))
        }
        let range = lower..<extra.scratch.count
        var value = JSONValues.string(extra.scratch.span, range, type)
        value?.isInScratch = true
        return value
    }
}

/// The set of the body's members that belong to an argument of the command. Members beyond the
/// first 64 count as unknown.
private struct KnownMembers {
    private var bits: UInt64 = 0

    var count: Int { bits.nonzeroBitCount }

    func contains(_ index: Int) -> Bool { index < 64 && bits & 1 &<< UInt64(index) != 0 }

    @inline(__always)
    mutating func mark(_ index: Int) {
        if index < 64 { bits |= 1 &<< UInt64(truncatingIfNeeded: index) }
    }

    mutating func markAll(_ count: Int) {
        bits = count >= 64 ? .max : (1 &<< UInt64(truncatingIfNeeded: count)) &- 1
    }
}
