package import Diagnostics
package import LineProtocol
package import RegularExpressions
package import Scenario

/// A pattern for one decoded part of a line, or for a whole raw line.
package struct BytesPattern: Sendable {
    /// Literal bytes, or a placeholder and what it matches.
    package enum Element: Sendable {
        case literal([UInt8])
        /// Matches the variable's value.
        case variable(Int)
        /// Matches the computed value.
        case computed(ComputedBytes)
        /// Matches everything up to the next literal or the end of the bytes. The matched bytes
        /// must be of this type.
        case placeholder(PlaceholderType, capture: Int?)
        /// Matches everything up to the end of the bytes.
        case rest(capture: Int?)
    }

    /// Restriction on the values that a placeholder matches.
    package enum PlaceholderType: Sendable {
        case any
        case typed(Placeholder.ValueType)
        case regex(RegularExpression)
    }

    package var elements: [Element]
    /// Range in the scenario.
    package var range: SourceRange

    package init(elements: [Element], range: SourceRange) {
        self.elements = elements
        self.range = range
    }

    /// True if the last element matches everything up to the end of the line.
    package var endsWithRest: Bool {
        if case .rest = elements.last { true } else { false }
    }

    /// Returns true if an element matches the variable's value.
    package func compares(with variable: Int) -> Bool {
        elements.contains { if case .variable(variable) = $0 { true } else { false } }
    }

    /// The bytes that the pattern matches; nil if it contains anything other than literals.
    package var constant: [UInt8]? {
        var result: [UInt8] = []
        for element in elements {
            guard case .literal(let bytes) = element else { return nil }
            result += bytes
        }
        return result
    }
}

/// The values that patterns are compared with, and the captures from the line being matched.
package struct MatchContext {
    package var variables: Variables
    package var captures: [Capture] = []
    /// The dialect's notations for true and false.
    package var bools: [BoolSpelling] = []

    package init(variables: Variables, bools: [BoolSpelling] = []) {
        self.variables = variables
        self.bools = bools
    }
}

extension BytesPattern {
    /// Returns true if the pattern matches all of `bytes`. Adds its captures to the context.
    package func matches(
        _ bytes: [UInt8], _ context: inout MatchContext, ignoringCase: Bool = false
    )
        -> Bool
    {
        var offset = 0
        for (index, element) in elements.enumerated() {
            switch element {
            case .literal(let literal):
                guard Self.starts(bytes, offset, literal, ignoringCase) else { return false }
                offset += literal.count
            case .variable(let variable):
                guard let value = value(variable, context),
                    Self.starts(bytes, offset, value, ignoringCase)
                else { return false }
                offset += value.count
            case .computed(let computed):
                guard let value = computed.bytes({ self.value($0, context) }),
                    Self.starts(bytes, offset, value, false)
                else { return false }
                offset += value.count
            case .placeholder(let type, let capture):
                guard let end = endOfPlaceholder(index, bytes, offset, context) else {
                    return false
                }
                let taken = Array(bytes[offset..<end])
                guard Self.isOf(type, taken, &context) else { return false }
                if let capture { context.captures.append(Capture(variable: capture, bytes: taken)) }
                offset = end
            case .rest(let capture):
                if let capture {
                    context.captures.append(
                        Capture(variable: capture, bytes: Array(bytes[offset...])))
                }
                offset = bytes.count
            }
        }
        return offset == bytes.count
    }

    /// Returns a variable's value, which may have been captured by an earlier element in the same
    /// line; nil if it has none yet.
    private func value(_ variable: Int, _ context: MatchContext) -> [UInt8]? {
        context.captures.last { $0.variable == variable }?.bytes ?? context.variables[variable]
    }

    /// Returns the end of the placeholder at `index`: the offset of the next element, or the end of
    /// the bytes. Returns nil if the next element does not occur.
    private func endOfPlaceholder(
        _ index: Int, _ bytes: [UInt8], _ begin: Int, _ context: MatchContext
    ) -> Int? {
        guard index + 1 < elements.count else { return bytes.count }
        let next: [UInt8]
        switch elements[index + 1] {
        case .literal(let literal): next = literal
        case .variable(let variable):
            guard let value = value(variable, context) else { return nil }
            next = value
        case .computed(let computed):
            guard let value = computed.bytes({ self.value($0, context) }) else { return nil }
            next = value
        // If two placeholders are adjacent, the second one takes everything.
        case .placeholder, .rest: return begin
        }
        if index + 2 == elements.count {
            let start = bytes.count - next.count
            return start >= begin && Self.starts(bytes, start, next, false) ? start : nil
        }
        var start = begin
        while start + next.count <= bytes.count {
            if Self.starts(bytes, start, next, false) { return start }
            start += 1
        }
        return nil
    }

    private static func starts(
        _ bytes: [UInt8], _ start: Int, _ other: [UInt8], _ ignoringCase: Bool
    ) -> Bool {
        guard bytes.count - start >= other.count else { return false }
        for offset in 0..<other.count {
            let ours = bytes[start + offset]
            if ours == other[offset] { continue }
            guard ignoringCase, ASCII.uppercased(ours) == ASCII.uppercased(other[offset]) else {
                return false
            }
        }
        return true
    }

    private static func isOf(
        _ type: PlaceholderType, _ bytes: [UInt8], _ context: inout MatchContext
    ) -> Bool {
        switch type {
        case .any: true
        case .regex(let expression): expression.matches(bytes)
        case .typed(let type): isOf(type, bytes, context.bools)
        }
    }

    /// Returns true if `bytes` are a value of the given type.
    package static func isOf(
        _ type: Placeholder.ValueType, _ bytes: [UInt8], _ bools: [BoolSpelling]
    ) -> Bool {
        switch type {
        case .text: true
        case .int: ValueConversion.value(bytes, .int) != nil
        case .decimal: ValueConversion.value(bytes, .decimal) != nil
        case .bool:
            bools.contains { ValueConversion.value(bytes, .bool($0)) != nil }
        case .time:
            ValueConversion.value(bytes, .time(.unixSeconds)) != nil
                || ValueConversion.value(bytes, .time(.rfc3339)) != nil
        case .word:
            !bytes.isEmpty && !bytes.contains { $0 == ASCII.space || $0 == ASCII.tab }
        }
    }
}
