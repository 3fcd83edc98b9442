extension ExpressionParser {
    /// Parses an escape sequence, starting after its backslash.
    mutating func escape() throws(InvalidExpression) -> ExpressionNode {
        guard let scalar = peek() else { throw Self.backslashAtEnd }
        switch scalar {
        case "b": return position(.wordBoundary)
        case "B": return position(.noWordBoundary)
        case "A": return position(.textStart)
        case "z", "Z": return position(.textEnd)
        case "1"..."9", "k", "g":
            throw InvalidExpression("backreferences such as `\\\(scalar)` are not supported")
        default: break
        }
        if let item = try propertyEscape() {
            return .scalar(ScalarSet([item], ignoresCase: flags.ignoresCase))
        }
        return literal(try scalarEscape())
    }

    private static let backslashAtEnd = InvalidExpression(
        "trailing backslash; write `\\\\` for a literal backslash")

    private mutating func position(_ assertion: Assertion) -> ExpressionNode {
        offset += 1
        return .assertion(assertion)
    }

    /// Parses an escape sequence for a property, such as the `d` in `\d`; returns nil if there is
    /// none.
    private mutating func propertyEscape() throws(InvalidExpression) -> ScalarSet.Item? {
        guard let scalar = peek() else { return nil }
        let item: ScalarSet.Item
        switch scalar {
        case "d": item = .property(.digit)
        case "D": item = .excluding(.digit)
        case "w": item = .property(.word)
        case "W": item = .excluding(.word)
        case "s": item = .property(.space)
        case "S": item = .excluding(.space)
        case "h": item = .property(.horizontalSpace)
        case "H": item = .excluding(.horizontalSpace)
        case "p", "P":
            offset += 1
            let (category, isInverted) = try category()
            return isInverted != (scalar == "P") ? .excluding(category) : .property(category)
        default: return nil
        }
        offset += 1
        return item
    }

    /// Parses `{Lu}`, `{^Lu}` or `L` after `\p`.
    private mutating func category() throws(InvalidExpression) -> (ScalarProperty, Bool) {
        var name = ""
        var isInverted = false
        if skip("{") {
            isInverted = skip("^")
            while let scalar = peek(), scalar != "}" {
                name.unicodeScalars.append(scalar)
                offset += 1
            }
            guard skip("}") else { throw InvalidExpression("unclosed `\\p{`") }
        } else if let scalar = next() {
            name = String(scalar)
        }
        guard ScalarProperty.isCategory(name) else {
            throw InvalidExpression(
                "unknown category `\\p{\(name)}`; categories are abbreviations such as L, Lu or Nd")
        }
        return (.category(name), isInverted)
    }

    /// Parses an escape sequence for a single scalar, starting after its backslash.
    private mutating func scalarEscape() throws(InvalidExpression) -> Unicode.Scalar {
        guard let scalar = next() else { throw Self.backslashAtEnd }
        switch scalar {
        case "t": return "\t"
        case "n": return "\n"
        case "r": return "\r"
        case "f": return "\u{0C}"
        case "v": return "\u{0B}"
        case "a": return "\u{07}"
        case "e": return "\u{1B}"
        case "0": return "\0"
        case "x": return try hexadecimal(after: "\\x", digits: 2)
        case "u": return try hexadecimal(after: "\\u", digits: 4)
        default:
            let isWord = ScalarProperty.word.holds(for: scalar) && scalar != "_"
            if isWord { throw InvalidExpression("unknown escape `\\\(scalar)`") }
            return scalar
        }
    }

    /// Parses `{HEX}` or exactly `digits` hexadecimal digits.
    private mutating func hexadecimal(
        after escape: String, digits: Int
    ) throws(InvalidExpression) -> Unicode.Scalar {
        let isBraced = skip("{")
        var text = ""
        while text.count < (isBraced ? 8 : digits), let scalar = peek(),
            scalar.properties.isASCIIHexDigit
        {
            text.unicodeScalars.append(scalar)
            offset += 1
        }
        let isComplete = isBraced ? skip("}") : text.count == digits
        guard isComplete, let value = UInt32(text, radix: 16), let scalar = Unicode.Scalar(value)
        else {
            throw InvalidExpression(
                "`\(escape)` takes \(digits) hexadecimal digits, or a code point in braces")
        }
        return scalar
    }

    /// Parses a character class, starting after its opening bracket.
    mutating func characterClass() throws(InvalidExpression) -> ScalarSet {
        let isNegated = skip("^")
        var items: [ScalarSet.Item] = []
        var isFirst = true
        while let scalar = peek() {
            if scalar == "]", !isFirst {
                offset += 1
                return ScalarSet(items, isNegated: isNegated, ignoresCase: flags.ignoresCase)
            }
            isFirst = false
            items.append(try classItem())
        }
        throw InvalidExpression("unclosed `[`")
    }

    private mutating func classItem() throws(InvalidExpression) -> ScalarSet.Item {
        if skip("[:") { return try namedClass() }
        if peek() == "[" {
            throw InvalidExpression("write `\\[` for a `[` within a class")
        }
        if peek() == "\\" {
            offset += 1
            if let item = try propertyEscape() { return item }
            offset -= 1
        }
        let lower = try classScalar()
        // A hyphen at the end of a class is literal.
        guard peek() == "-", let end = peek(1), end != "]" else {
            return .range(lower.value, lower.value)
        }
        offset += 1
        let upper = try classScalar()
        guard lower <= upper else {
            throw InvalidExpression("the range `\(lower)-\(upper)` is reversed")
        }
        return .range(lower.value, upper.value)
    }

    private mutating func classScalar() throws(InvalidExpression) -> Unicode.Scalar {
        guard let scalar = next() else { throw InvalidExpression("unclosed `[`") }
        guard scalar == "\\" else { return scalar }
        if skip("b") { return "\u{08}" }
        return try scalarEscape()
    }

    /// Parses a POSIX class, starting after `[:`.
    private mutating func namedClass() throws(InvalidExpression) -> ScalarSet.Item {
        var name = ""
        while let scalar = peek(), scalar != ":" {
            name.unicodeScalars.append(scalar)
            offset += 1
        }
        guard skip(":]") else { throw InvalidExpression("unclosed `[:`") }
        switch name {
        case "alpha": return .property(.category("L"))
        case "digit": return .property(.digit)
        case "word": return .property(.word)
        case "space": return .property(.space)
        case "blank": return .property(.horizontalSpace)
        case "upper": return .property(.category("Lu"))
        case "lower": return .property(.category("Ll"))
        case "punct": return .property(.punctuation)
        case "cntrl": return .property(.control)
        default:
            throw InvalidExpression(
                "unknown class `[:\(name):]`; known classes: alpha, digit, word, space, blank, upper, "
                    + "lower, punct and cntrl")
        }
    }
}
