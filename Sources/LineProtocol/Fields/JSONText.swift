/// Functions for arbitrary JSON text. They copy their results, so they are too slow to call for
/// every line of a load test.
package enum JSONText {
    /// Parses `bytes` as a single value, possibly surrounded by whitespace; returns nil if they are
    /// not valid JSON.
    package static func value(_ bytes: [UInt8]) -> Field? {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return nil }
            var scanner = unsafe JSONScanner(base, 0..<buffer.count, room: buffer.count)
            scanner.skipSpace()
            let lower = scanner.offset
            guard let value = scanner.value(depth: 0) else { return nil }
            scanner.skipSpace()
            return scanner.isAtEnd
                ? Field(JSONScanner.Token(lower: lower, upper: lower), value) : nil
        }
    }

    /// Returns the members of an object in order, with unescaped keys; nil if the value is not an
    /// object.
    package static func members(
        _ value: Field, in bytes: [UInt8]
    ) -> [(key: [UInt8], value: Field)]? {
        guard isContainer(value, ASCII.openBrace, bytes) else { return nil }
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return nil }
            var found: [(key: [UInt8], value: Field)] = []
            var scanner = unsafe JSONScanner(base, value.value, room: buffer.count)
            scanner.forEachMember { field in
                let key = bytes.span.array(field.key ?? 0..<0)
                found.append(((try? EscapeRule.json.decode(key)) ?? key, field))
            }
            return found
        }
    }

    /// Returns the elements of an array; nil if the value is not an array.
    package static func elements(_ value: Field, in bytes: [UInt8]) -> [Field]? {
        guard isContainer(value, ASCII.openBracket, bytes) else { return nil }
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return nil }
            var found: [Field] = []
            var scanner = unsafe JSONScanner(base, value.value, room: buffer.count)
            scanner.forEachElement { field in
                found.append(field)
                return true
            }
            return found
        }
    }

    private static func isContainer(_ value: Field, _ bracket: UInt8, _ bytes: [UInt8]) -> Bool {
        value.form == .jsonValue && bytes[value.value.lowerBound] == bracket
    }

    /// Returns the unescaped content of a string, or the JSON text of any other value.
    package static func text(_ value: Field, in bytes: [UInt8]) -> [UInt8] {
        let raw = bytes.span.array(value.value)
        guard value.form == .jsonString else { return raw }
        return (try? EscapeRule.json.decode(raw)) ?? raw
    }

    /// Returns the canonical form of a value, which is the same for equal values: no whitespace,
    /// sorted keys, and one form for each string and each number.
    package static func canonical(_ value: Field, in bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        appendCanonical(value, bytes, to: &result)
        return result
    }

    /// Returns true if both texts are JSON with equal values, or if their bytes are equal.
    package static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard let first = value(one), let second = value(other) else { return one == other }
        return canonical(first, in: one) == canonical(second, in: other)
    }

    private static func appendCanonical(
        _ value: Field, _ bytes: [UInt8], to target: inout [UInt8]
    ) {
        if value.form == .jsonString {
            appendString(text(value, in: bytes), to: &target)
        } else if let members = members(value, in: bytes) {
            // If a key occurs more than once, its last value counts.
            let values = Dictionary(members, uniquingKeysWith: { $1 })
            target.append(ASCII.openBrace)
            for (index, key) in values.keys.sorted(by: { $0.lexicographicallyPrecedes($1) })
                .enumerated()
            {
                if index > 0 { target.append(ASCII.comma) }
                appendString(key, to: &target)
                target.append(ASCII.colon)
                if let value = values[key] { appendCanonical(value, bytes, to: &target) }
            }
            target.append(ASCII.closeBrace)
        } else if let elements = elements(value, in: bytes) {
            target.append(ASCII.openBracket)
            for (index, element) in elements.enumerated() {
                if index > 0 { target.append(ASCII.comma) }
                appendCanonical(element, bytes, to: &target)
            }
            target.append(ASCII.closeBracket)
        } else {
            appendScalar(bytes.span.array(value.value), to: &target)
        }
    }

    private static func appendString(_ text: [UInt8], to target: inout [UInt8]) {
        target.append(ASCII.quote)
        // Text that is not UTF-8 is kept unchanged.
        target += (try? EscapeRule.json.encode(text)) ?? text
        target.append(ASCII.quote)
    }

    private static func appendScalar(_ text: [UInt8], to target: inout [UInt8]) {
        guard let first = text.first, first == ASCII.minus || ASCII.isDigit(first),
            let number = JSONNumber(text.span, 0..<text.count)
        else {
            target += text
            return
        }
        target += number.canonical
    }
}
