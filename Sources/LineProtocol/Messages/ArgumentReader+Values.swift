extension ArgumentReader {
    /// The argument at `place` that `field` spells.
    @inline(__always)
    func decoded(
        _ line: LineView, _ field: Field, _ place: Int, _ extra: inout Message.Extra
    ) -> DecodedArgument {
        if field.hasEscape, unsafe line.command.isEscaped {
            return unsafe unescaped(line, field, place, &extra)
        }
        let lower = field.keyUpper < 0 ? field.lower : field.keyUpper &+ 1
        return unsafe converted(line, lower, field.upper, place, &extra)
    }

    /// The argument at `place` that the text between `lower` and `upper` spells without escapes.
    @inline(__always)
    func converted(
        _ line: LineView, _ lower: Int32, _ upper: Int32, _ place: Int, _ extra: inout Message.Extra
    ) -> DecodedArgument {
        let step = unsafe line.command.firstStep &+ place
        switch plan.steps[step].conversion {
        case .text: return DecodedArgument(.text, 0, lower, upper)
        case .bytes: return DecodedArgument(.bytes, 0, lower, upper)
        case .json: return DecodedArgument(.json, 0, lower, upper)
        case .xml: return DecodedArgument(.xml, 0, lower, upper)
        case .int:
            if let number = unsafe shortInteger(line.bytes, Int(lower), Int(upper)) {
                return DecodedArgument(.int, number, lower, upper)
            }
        case .digit:
            let digit = unsafe upper &- lower == 1 ? line.bytes[Int(lower)] &- ASCII.zero : 2
            if digit < 2 { return DecodedArgument(.bool, Int64(digit), lower, upper) }
        case .other: break
        }
        return unsafe convertedByType(line.bytes.span, lower, upper, step, place, &extra)
    }

    /// The argument at `place`, by its declared type.
    @inline(never)
    private func convertedByType(
        _ bytes: Span<UInt8>, _ lower: Int32, _ upper: Int32, _ step: Int, _ place: Int,
        _ extra: inout Message.Extra
    ) -> DecodedArgument {
        let range = Int(lower)..<Int(upper)
        if let value = ValueConversion.scalar(bytes, range, plan.types[step]) { return value }
        extra.issues.append(.invalidArgument(place))
        return ValueConversion.zero(plan.types[step])
    }

    /// The argument at `place` where nothing spells it.
    func zero(_ line: LineView, _ place: Int) -> DecodedArgument {
        unsafe ValueConversion.zero(plan.types[line.command.firstStep + place])
    }

    /// The argument at `place` that the text in `field` spells with escapes.
    @inline(never)
    private func unescaped(
        _ line: LineView, _ field: Field, _ place: Int, _ extra: inout Message.Extra
    ) -> DecodedArgument {
        let bytes = unsafe line.bytes
        return unsafe inScratch(line, place, &extra) { (scratch) throws(EscapeError) in
            switch field.form {
            case .plain, .option:
                try unsafe isKeyed
                    ? escaping.value.decode(bytes.span, field.value, into: &scratch)
                    : escaping.field.decode(bytes.span, field.value, into: &scratch)
            case .trailing:
                try unsafe escaping.trailing.decode(bytes.span, field.value, into: &scratch)
            case .keyValue:
                try unsafe escaping.value.decode(bytes.span, field.value, into: &scratch)
            case .quoted:
                try unsafe EscapeRule.quotes.decode(bytes.span, field.value, into: &scratch)
            }
        }
    }

    /// The argument at `place` that the bytes which `write` appends spell.
    func inScratch(
        _ line: LineView, _ place: Int, _ extra: inout Message.Extra,
        _ write: (inout [UInt8]) throws(EscapeError) -> Void
    ) -> DecodedArgument {
        let lower = extra.scratch.count
        do {
            try write(&extra.scratch)
        } catch {
            extra.issues.append(.badEscape(place, error))
        }
        // Taken out, because issues are noted while the bytes are read.
        var scratch: [UInt8] = []
        swap(&scratch, &extra.scratch)
        defer { swap(&scratch, &extra.scratch) }
        return unsafe scratch.withUnsafeBufferPointer { buffer in
            let view = unsafe LineView(bytes: buffer, fields: line.fields, command: line.command)
            var value = unsafe converted(
                view, Int32(truncatingIfNeeded: lower), Int32(truncatingIfNeeded: buffer.count),
                place, &extra)
            value.isInScratch = true
            return value
        }
    }
}
