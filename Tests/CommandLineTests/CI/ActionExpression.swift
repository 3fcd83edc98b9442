/// An expression of GitHub Actions, of the part of the language that `action.yml` uses: strings, contexts,
/// `!`, `==`, `!=`, `&&`, `||` and the status functions.
struct ActionExpression {
    enum Value: Equatable {
        case text(String)
        case bool(Bool)

        var isTrue: Bool {
            switch self {
            case .text(let text): !text.isEmpty
            case .bool(let bool): bool
            }
        }

        var text: String {
            switch self {
            case .text(let text): text
            case .bool(let bool): bool ? "true" : "false"
            }
        }
    }

    struct Invalid: Error {
        let text: String
        let rest: String
    }

    /// Replaces each `${{ … }}` in a text.
    static func replaced(in text: String, _ context: (String) -> Value?) throws -> String {
        var result = ""
        var rest = Substring(text)
        while let start = rest.firstRange(of: "${{") {
            guard let end = rest[start.upperBound...].firstRange(of: "}}") else {
                throw Invalid(text: text, rest: String(rest))
            }
            result += rest[..<start.lowerBound]
            let expression = String(rest[start.upperBound..<end.lowerBound])
            result += try value(of: expression, context).text
            rest = rest[end.upperBound...]
        }
        return result + rest
    }

    /// - Parameter context: the value of `inputs.files` or of a call such as `always()`; nil if there is none.
    static func value(of text: String, _ context: (String) -> Value?) throws -> Value {
        var parser = ActionExpression(text: text, rest: Substring(text))
        let value = try parser.alternatives(context)
        parser.skipSpaces()
        guard parser.rest.isEmpty else { throw parser.invalid }
        return value
    }

    private let text: String
    private var rest: Substring

    private var invalid: Invalid { Invalid(text: text, rest: String(rest)) }

    private mutating func skipSpaces() { rest = rest.drop { $0 == " " || $0 == "\n" } }

    private mutating func takes(_ symbol: String) -> Bool {
        skipSpaces()
        guard rest.hasPrefix(symbol) else { return false }
        rest = rest.dropFirst(symbol.count)
        return true
    }

    private mutating func alternatives(_ context: (String) -> Value?) throws -> Value {
        var value = try conjunction(context)
        while takes("||") {
            let next = try conjunction(context)
            if !value.isTrue { value = next }
        }
        return value
    }

    private mutating func conjunction(_ context: (String) -> Value?) throws -> Value {
        var value = try comparison(context)
        while takes("&&") {
            let next = try comparison(context)
            if value.isTrue { value = next }
        }
        return value
    }

    private mutating func comparison(_ context: (String) -> Value?) throws -> Value {
        let value = try operand(context)
        if takes("==") { return .bool(try operand(context) == value) }
        if takes("!=") { return .bool(try operand(context) != value) }
        return value
    }

    private mutating func operand(_ context: (String) -> Value?) throws -> Value {
        if takes("!") { return .bool(!(try operand(context).isTrue)) }
        if takes("(") {
            let value = try alternatives(context)
            guard takes(")") else { throw invalid }
            return value
        }
        if takes("'") {
            guard let end = rest.firstIndex(of: "'") else { throw invalid }
            let literal = String(rest[..<end])
            rest = rest[rest.index(after: end)...]
            return .text(literal)
        }
        var name = String(rest.prefix { $0.isLetter || $0.isNumber || "._-".contains($0) })
        guard !name.isEmpty else { throw invalid }
        rest = rest.dropFirst(name.count)
        if takes("()") { name += "()" }
        guard let value = context(name) else { throw invalid }
        return value
    }
}
