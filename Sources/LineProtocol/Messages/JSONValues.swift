/// Conversion between JSON values and typed arguments.
package enum JSONValues {
    /// Converts a value without escape sequences; returns nil if it does not have the type.
    static func scalar(
        _ bytes: Span<UInt8>, _ field: Field, _ type: ArgumentType
    ) -> DecodedArgument? {
        let range = field.value
        if case .json = type { return DecodedArgument(.json, range: field.json) }
        if field.form == .jsonString { return string(bytes, range, type) }
        switch type {
        case .int:
            guard isNumber(bytes, range) else { return nil }
            let number = integer(bytes, range) ?? JSONNumber(bytes, range)?.integer
            return number.map { DecodedArgument(.int, number: $0, range: range) }
        case .decimal:
            guard isNumber(bytes, range) else { return nil }
            if let value = ValueConversion.decimal(bytes, range) { return value }
            return JSONNumber(bytes, range)?.decimal.map {
                DecodedArgument(
                    .decimal, number: $0.unscaled, scale: Int32(truncatingIfNeeded: $0.scale),
                    range: range)
            }
        case .bool:
            switch bytes[range.lowerBound] {
            case UInt8(ascii: "t"): return DecodedArgument(.bool, number: 1, range: range)
            case UInt8(ascii: "f"): return DecodedArgument(.bool, number: 0, range: range)
            default: return nil
            }
        case .time(.unixSeconds), .time(.unixMilliseconds):
            guard case .time(let format) = type, isNumber(bytes, range) else { return nil }
            return ValueConversion.time(bytes, range, format)
        case .text, .bytes, .xml, .choice, .list, .json, .time(.rfc3339): return nil
        }
    }

    /// Converts the value of a string, without escape sequences; returns nil if the type is not
    /// written as a string.
    static func string(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ type: ArgumentType
    ) -> DecodedArgument? {
        switch type {
        case .text, .bytes, .xml, .choice, .time(.rfc3339):
            ValueConversion.scalar(bytes, range, type)
        case .int, .bool, .decimal, .json, .list, .time: nil
        }
    }

    private static func isNumber(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let first = bytes[range.lowerBound]
        return first == ASCII.minus || ASCII.isDigit(first)
    }

    /// Appends a value as JSON text.
    ///
    /// - Throws: ``Failure`` if the value does not have the type or JSON cannot express it.
    static func append(
        _ value: ArgumentValue, _ type: ArgumentType, to target: inout [UInt8]
    ) throws(Failure) {
        switch (value, type) {
        case (.list(let values), .list(let element, _)):
            target.append(ASCII.openBracket)
            for (index, value) in values.enumerated() {
                if index > 0 { target.append(ASCII.comma) }
                try append(value, element, to: &target)
            }
            target.append(ASCII.closeBracket)
            return
        case (.bool(let flag), .bool):
            target += (flag ? "true" : "false").utf8
            return
        default: break
        }
        guard let bytes = ValueConversion.bytes(value, type) else { throw .wrongType(type) }
        switch type {
        case .text, .bytes, .xml, .choice, .time(.rfc3339): try appendString(bytes, to: &target)
        case .json:
            guard isValue(bytes) else { throw .wrongType(type) }
            target += bytes
        default: target += bytes
        }
    }

    /// Returns a value as JSON text; nil if it does not have the type or JSON cannot express it.
    package static func text(_ value: ArgumentValue, _ type: ArgumentType) -> [UInt8]? {
        var result: [UInt8] = []
        do throws(Failure) {
            try append(value, type, to: &result)
        } catch {
            return nil
        }
        return result
    }

    static func appendString(
        _ bytes: [UInt8], to target: inout [UInt8]
    ) throws(Failure) {
        target.append(ASCII.quote)
        do {
            try JSONEscape.encode(bytes, into: &target)
        } catch {
            throw .escape(error)
        }
        target.append(ASCII.quote)
    }

    /// Returns true if the bytes are a JSON value without surrounding whitespace.
    static func isValue(_ bytes: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return false }
            var scanner = unsafe JSONScanner(base, 0..<buffer.count, room: buffer.count)
            return scanner.value(depth: 1) != nil && scanner.isAtEnd
        }
    }

    /// The reason a value cannot be written.
    enum Failure: Error {
        case wrongType(ArgumentType)
        case escape(EscapeError)
    }
}
