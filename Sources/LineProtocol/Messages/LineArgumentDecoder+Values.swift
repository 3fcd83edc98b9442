extension LineArgumentDecoder {
    /// Decodes `field` as the argument at `index`.
    @inline(__always)
    func decoded(
        _ line: LineView, _ field: Field, _ index: Int, _ extra: inout Message.Extra
    ) -> DecodedArgument {
        if field.hasEscape, unsafe line.command.isEscaped {
            return unsafe unescaped(line, field, index, &extra)
        }
        let lower = field.keyUpper < 0 ? field.lower : field.keyUpper &+ 1
        return unsafe converted(line, lower, field.upper, index, &extra)
    }

    /// Converts the unescaped text between `lower` and `upper` to the argument at `index`.
    @inline(__always)
    func converted(
        _ line: LineView, _ lower: Int32, _ upper: Int32, _ index: Int, _ extra: inout Message.Extra
    ) -> DecodedArgument {
        let step = unsafe line.command.firstStep &+ index
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
        return unsafe convertedByType(line.bytes.span, lower, upper, step, index, &extra)
    }

    @inline(never)
    private func convertedByType(
        _ bytes: Span<UInt8>, _ lower: Int32, _ upper: Int32, _ step: Int, _ index: Int,
        _ extra: inout Message.Extra
    ) -> DecodedArgument {
        let range = Int(lower)..<Int(upper)
        if let value = ValueConversion.scalar(bytes, range, plan.types[step]) { return value }
        extra.issues.append(.invalidArgument(index))
        return ValueConversion.zero(plan.types[step])
    }

    func zero(_ line: LineView, _ index: Int) -> DecodedArgument {
        unsafe ValueConversion.zero(plan.types[line.command.firstStep + index])
    }

    /// Decodes a field with escape sequences as the argument at `index`.
    @inline(never)
    func unescaped(
        _ line: LineView, _ field: Field, _ index: Int, _ extra: inout Message.Extra
    ) -> DecodedArgument {
        let bytes = unsafe line.bytes
        return unsafe inScratch(line, index, &extra) { (scratch) throws(EscapeError) in
            switch field.form {
            case .plain, .option:
                try unsafe isKeyed
                    ? escaping.value.decode(bytes.span, field.value, into: &scratch)
                    : escaping.field.decode(bytes.span, field.value, into: &scratch)
            case .trailing:
                try unsafe escaping.trailing.decode(bytes.span, field.value, into: &scratch)
            case .keyValue:
                try unsafe escaping.value.decode(bytes.span, field.value, into: &scratch)
            case .verbatim:
                unsafe scratch.append(contentsOf: bytes.span.array(field.value))
            case .jsonString, .jsonValue:
                try unsafe JSONEscape.decode(bytes.span, field.value, into: &scratch)
            case .quoted:
                try unsafe EscapeRule.quotes.decode(bytes.span, field.value, into: &scratch)
            }
        }
    }

    /// Calls `write` to append bytes to the scratch buffer, and decodes these bytes as the argument
    /// at `index`.
    func inScratch(
        _ line: LineView, _ index: Int, _ extra: inout Message.Extra,
        _ write: (inout [UInt8]) throws(EscapeError) -> Void
    ) -> DecodedArgument {
        let lower = extra.scratch.count
        do {
            try write(&extra.scratch)
        } catch {
            extra.issues.append(.badEscape(index, error))
        }
        // The buffer is swapped out because issues are added to the message while its bytes are
        // read.
        var scratch: [UInt8] = []
        swap(&scratch, &extra.scratch)
        defer { swap(&scratch, &extra.scratch) }
        return unsafe scratch.withUnsafeBufferPointer { buffer in
            let view = unsafe LineView(bytes: buffer, fields: line.fields, command: line.command)
            var value = unsafe converted(
                view, Int32(truncatingIfNeeded: lower), Int32(truncatingIfNeeded: buffer.count),
                index, &extra)
            value.isInScratch = true
            return value
        }
    }
}
