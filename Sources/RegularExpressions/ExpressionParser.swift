/// Parser that turns a regular expression into a syntax tree.
struct ExpressionParser {
    /// Maximum nesting depth of groups, limited because the parser calls itself for each group.
    static let depthMax = 32
    /// Maximum repetition count.
    static let countMax = 1_000

    /// Options set by groups such as `(?i)`.
    struct Flags {
        var ignoresCase = false
        var isMultiline = false
        var dotMatchesLineFeed = false
    }

    let scalars: [Unicode.Scalar]
    var offset = 0
    var flags = Flags()
    private var depth = 0

    init(_ source: String) { scalars = Array(source.unicodeScalars) }

    mutating func parse() throws(InvalidExpression) -> ExpressionNode {
        let node = try alternatives()
        guard offset == scalars.count else { throw InvalidExpression("unmatched `)`") }
        return node
    }

    func peek(_ distance: Int = 0) -> Unicode.Scalar? {
        offset + distance < scalars.count ? scalars[offset + distance] : nil
    }

    mutating func next() -> Unicode.Scalar? {
        guard let scalar = peek() else { return nil }
        offset += 1
        return scalar
    }

    mutating func skip(_ text: String) -> Bool {
        let expected = Array(text.unicodeScalars)
        guard scalars[offset...].starts(with: expected) else { return false }
        offset += expected.count
        return true
    }

    private mutating func alternatives() throws(InvalidExpression) -> ExpressionNode {
        var nodes = [try sequence()]
        while skip("|") { nodes.append(try sequence()) }
        return nodes.count == 1 ? nodes[0] : .alternatives(nodes)
    }

    private mutating func sequence() throws(InvalidExpression) -> ExpressionNode {
        var nodes: [ExpressionNode] = []
        while let scalar = peek(), scalar != "|", scalar != ")" {
            guard let node = try atom() else { continue }
            nodes.append(try repeated(node))
        }
        return nodes.count == 1 ? nodes[0] : .sequence(nodes)
    }

    /// Parses one atom; returns nil for a group that only sets options.
    private mutating func atom() throws(InvalidExpression) -> ExpressionNode? {
        guard let scalar = next() else { return nil }
        switch scalar {
        case "(": return try group()
        case "[": return .scalar(try characterClass())
        case ".": return .scalar(.any(dotMatchesLineFeed: flags.dotMatchesLineFeed))
        case "^": return .assertion(flags.isMultiline ? .lineStart : .textStart)
        case "$": return .assertion(flags.isMultiline ? .lineEnd : .textEnd)
        case "\\": return try escape()
        case "*", "+", "?":
            throw InvalidExpression("nothing to repeat before `\(scalar)`")
        default: return literal(scalar)
        }
    }

    func literal(_ scalar: Unicode.Scalar) -> ExpressionNode {
        .scalar(
            ScalarSet([.range(scalar.value, scalar.value)], ignoresCase: flags.ignoresCase))
    }

    // MARK: Groups

    private mutating func group() throws(InvalidExpression) -> ExpressionNode? {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthMax else {
            throw InvalidExpression("groups are nested more than \(Self.depthMax) levels deep")
        }
        let outer = flags
        if skip("?") {
            guard try isGroupWithContent() else { return nil }
        }
        let node = try alternatives()
        guard skip(")") else { throw InvalidExpression("unclosed `(`") }
        flags = outer
        return node
    }

    /// Parses the part of a group after `(?`. Returns true if the content of the group comes next.
    /// For a group that only sets options, such as `(?i)`, also parses the closing parenthesis and
    /// returns false.
    private mutating func isGroupWithContent() throws(InvalidExpression) -> Bool {
        if skip(":") { return true }
        for lookaround in ["=", "!", "<=", "<!"] where skip(lookaround) {
            throw InvalidExpression("lookaround such as `(?\(lookaround)` is not supported")
        }
        if skip(">") { throw InvalidExpression("atomic groups `(?>` are not supported") }
        if skip("P<") || skip("<") {
            while let scalar = next() {
                if scalar == ">" { return true }
            }
            throw InvalidExpression("a group name has no closing `>`")
        }
        var isOn = true
        while let scalar = next() {
            switch scalar {
            case "i": flags.ignoresCase = isOn
            case "m": flags.isMultiline = isOn
            case "s": flags.dotMatchesLineFeed = isOn
            case "-" where isOn: isOn = false
            case ":": return true
            case ")": return false
            default: throw InvalidExpression("unknown group `(?\(scalar)`")
            }
        }
        throw InvalidExpression("unclosed `(`")
    }

    // MARK: Repetition

    private mutating func repeated(
        _ node: ExpressionNode
    ) throws(InvalidExpression) -> ExpressionNode {
        guard let (minimum, maximum) = try count() else { return node }
        if case .assertion = node {
            throw InvalidExpression("an anchor such as `^` or `\\b` cannot be repeated")
        }
        // A lazy repetition matches the same texts as a greedy one, because the whole text must
        // match.
        _ = skip("?")
        if skip("+") {
            throw InvalidExpression("possessive repetition such as `*+` is not supported")
        }
        if try count() != nil {
            throw InvalidExpression("a repetition cannot follow another; put the first in a group")
        }
        return .repetition(node, minimum: minimum, maximum: maximum)
    }

    /// Parses `*`, `+`, `?`, `{3}`, `{3,}`, `{3,5}` or `{,5}`; returns nil if there is none.
    private mutating func count() throws(InvalidExpression) -> (Int, Int?)? {
        if skip("*") { return (0, nil) }
        if skip("+") { return (1, nil) }
        if skip("?") { return (0, 1) }
        let start = offset
        guard skip("{") else { return nil }
        let minimum = try number()
        let hasComma = skip(",")
        let maximum = hasComma ? try number() : minimum
        guard minimum != nil || maximum != nil, skip("}") else {
            // A brace that does not start a repetition is literal.
            offset = start
            return nil
        }
        if let maximum, maximum < minimum ?? 0 {
            throw InvalidExpression("the repetition {\(minimum ?? 0),\(maximum)} is reversed")
        }
        return (minimum ?? 0, maximum)
    }

    private mutating func number() throws(InvalidExpression) -> Int? {
        var value: Int?
        while let digit = peek().flatMap({ $0.properties.numericType == .decimal ? $0 : nil }),
            let number = Int(String(digit))
        {
            offset += 1
            value = (value ?? 0) * 10 + number
            if let value, value > Self.countMax {
                throw InvalidExpression("a repetition count cannot exceed \(Self.countMax)")
            }
        }
        return value
    }
}
