package import Diagnostics
package import LineProtocol
package import Scenario

/// What the bytes of one part of a line (decoded, unless it is a whole line) are held against.
package struct BytesPattern: Sendable {
    package enum Element: Sendable {
        case literal([UInt8])
        /// Must be equal to the variable's value.
        case variable(Int)
        /// Takes bytes up to the next literal or the end; they must be of the type.
        case placeholder(PlaceholderType, capture: Int?)
        /// Takes all that is left.
        case rest(capture: Int?)
    }

    package enum PlaceholderType: Sendable {
        case any
        case typed(Placeholder.ValueType)
        case regex(String)
    }

    package var elements: [Element]
    /// Where it stands in the scenario.
    package var range: SourceRange

    package init(elements: [Element], range: SourceRange) {
        self.elements = elements
        self.range = range
    }

    /// Whether it takes whatever there is, and what follows in the line.
    package var endsWithRest: Bool {
        if case .rest = elements.last { true } else { false }
    }

    /// Whether a part of it must be equal to the variable.
    package func compares(with variable: Int) -> Bool {
        elements.contains { if case .variable(variable) = $0 { true } else { false } }
    }

    /// The bytes it stands for, where it has no placeholders.
    package var constant: [UInt8]? {
        var result: [UInt8] = []
        for element in elements {
            guard case .literal(let bytes) = element else { return nil }
            result += bytes
        }
        return result
    }
}

/// What a matcher needs besides pattern and bytes, and what it leaves.
package struct MatchContext {
    package var variables: Variables
    package var regexes = RegexCache()
    package var captures: [Capture] = []
    /// How the dialect spells true and false.
    package var bools: [BoolSpelling] = []

    package init(variables: Variables, bools: [BoolSpelling] = []) {
        self.variables = variables
        self.bools = bools
    }
}

extension BytesPattern {
    /// Whether `bytes` as a whole match; captures are added to the context.
    package func matches(
        _ bytes: [UInt8], _ context: inout MatchContext, ignoringCase: Bool = false
    )
        -> Bool
    {
        var place = 0
        for (index, element) in elements.enumerated() {
            switch element {
            case .literal(let literal):
                guard Self.starts(bytes, place, literal, ignoringCase) else { return false }
                place += literal.count
            case .variable(let variable):
                guard let value = value(variable, context),
                    Self.starts(bytes, place, value, ignoringCase)
                else { return false }
                place += value.count
            case .placeholder(let type, let capture):
                guard let end = endOfPlaceholder(index, bytes, place, context) else { return false }
                let taken = Array(bytes[place..<end])
                guard Self.isOf(type, taken, &context) else { return false }
                if let capture { context.captures.append(Capture(variable: capture, bytes: taken)) }
                place = end
            case .rest(let capture):
                if let capture {
                    context.captures.append(
                        Capture(variable: capture, bytes: Array(bytes[place...])))
                }
                place = bytes.count
            }
        }
        return place == bytes.count
    }

    /// A variable captured by an earlier element of the same line counts already.
    private func value(_ variable: Int, _ context: MatchContext) -> [UInt8]? {
        context.captures.last { $0.variable == variable }?.bytes ?? context.variables[variable]
    }

    /// Where the placeholder at `index` ends: before the next literal, at the end if it is the last.
    private func endOfPlaceholder(
        _ index: Int, _ bytes: [UInt8], _ place: Int, _ context: MatchContext
    ) -> Int? {
        guard index + 1 < elements.count else { return bytes.count }
        let next: [UInt8]
        switch elements[index + 1] {
        case .literal(let literal): next = literal
        case .variable(let variable):
            guard let value = value(variable, context) else { return nil }
            next = value
        // Two placeholders side by side: the second takes everything.
        case .placeholder, .rest: return place
        }
        if index + 2 == elements.count {
            let start = bytes.count - next.count
            return start >= place && Self.starts(bytes, start, next, false) ? start : nil
        }
        var start = place
        while start + next.count <= bytes.count {
            if Self.starts(bytes, start, next, false) { return start }
            start += 1
        }
        return nil
    }

    private static func starts(
        _ bytes: [UInt8], _ place: Int, _ other: [UInt8], _ ignoringCase: Bool
    ) -> Bool {
        guard bytes.count - place >= other.count else { return false }
        for offset in 0..<other.count {
            let ours = bytes[place + offset]
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
        case .regex(let expression): context.regexes.matches(expression, bytes)
        case .typed(let type): isOf(type, bytes, context.bools)
        }
    }

    /// Whether `bytes` spell a value of the type.
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
            !bytes.isEmpty && !bytes.contains { $0 == ASCII.blank || $0 == ASCII.tab }
        }
    }
}
