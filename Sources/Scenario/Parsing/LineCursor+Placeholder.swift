import Diagnostics
import RegularExpressions

extension LineCursor {
    /// Parses a placeholder. The cursor must be at its opening braces.
    mutating func placeholder(_ use: TemplateUse) throws(Diagnosed) -> Placeholder {
        let start = at
        at += 2
        skipSpaces()
        let kind = try placeholderKind(start, use)
        skipSpaces()
        guard skip("}}") else { throw unclosedPlaceholder(start) }
        let placeholder = Placeholder(kind, range: range(from: start))
        if use == .pattern || placeholder.isSendable { return placeholder }
        throw Diagnosed(
            error(
                .misplacedPlaceholder, "this placeholder is only valid in an expectation",
                at: placeholder.range, label: "cannot be sent"
            ).help(
                "a send may contain {{name}}, {{a + b}}, {{\"…\"}}, {{base64 \"…\"}}, {{length}} "
                    + "and {{env.NAME}}"))
    }

    private func unclosedPlaceholder(_ start: Int) -> Diagnosed {
        let rest = bytes[at..<end]
        let closes = zip(rest, rest.dropFirst()).contains { pair in
            pair.0 == UInt8(ascii: "}") && pair.1 == UInt8(ascii: "}")
        }
        if closes {
            return Diagnosed(
                error(.badPlaceholder, "expected `}}`, found \(nextText)", at: nextToken)
                    .help(Self.placeholderHelp))
        }
        return Diagnosed(
            error(
                .unclosedPlaceholder, "unclosed placeholder", at: range(start, start + 2),
                label: "opened here"
            ).help("a placeholder ends with `}}`; to write `{{` as text, use `{{\"{{\"}}`"))
    }

    private static let placeholderHelp =
        "placeholders are {{name}}, {{name:int}}, {{name:/REGEX/}}, {{_}}, {{...}}, {{name...}}, {{end}}, "
        + "{{\"text\"}}, {{\"x\" * 3}}, {{length}}, {{env.NAME}}, "
        + "{{a + b}}, {{base64 \"text\"}}"

    private mutating func placeholderKind(_ start: Int, _ use: TemplateUse) throws(Diagnosed)
        -> Placeholder.Kind
    {
        switch peek() {
        case UInt8(ascii: "\""): return try bytesPlaceholder()
        case UInt8(ascii: "/"): return .regex(name: nil, expression: try regex())
        case UInt8(ascii: ".") where skip("..."): return .rest(name: nil)
        default: break
        }
        guard let name = variableName() else {
            if isAtEnd { throw unclosedPlaceholder(start) }
            let isEmpty = starts(with: "}}")
            let message =
                isEmpty ? "empty placeholder" : "a placeholder cannot begin with \(nextText)"
            let range = isEmpty ? range(start, at + 2) : nextToken
            throw Diagnosed(error(.badPlaceholder, message, at: range).help(Self.placeholderHelp))
        }
        if skip("...") { return .rest(name: try capturable(name)) }
        if skip(":") { return try typedPlaceholder(name) }
        if name.text == "_" { return .anything }
        if name.text == "end" { return .end }
        if name.text == "length" { return .length }
        if name.text.hasPrefix("env.") { return .environment(String(name.text.dropFirst(4))) }
        skipSpaces()
        if name.text == "base64", peek() == UInt8(ascii: "\"") {
            return .computed(.base64(try string(.send)))
        }
        return isAtSign ? .computed(.sum(try sum(name))) : .variable(name.text)
    }

    private var isAtSign: Bool { peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") }

    /// Parses the terms after the first. The next byte must be a sign.
    private mutating func sum(_ first: Name) throws(Diagnosed) -> [Placeholder.Term] {
        func variable(_ name: Name) -> Placeholder.Term.Operand {
            .placeholder(Placeholder(.variable(name.text), range: name.range))
        }
        var terms = [Placeholder.Term(isNegative: false, operand: variable(first))]
        while isAtSign {
            let isNegative = peek() == UInt8(ascii: "-")
            at += 1
            skipSpaces()
            let operand: Placeholder.Term.Operand
            if let number = digits() {
                operand = .number(Int64(number))
            } else if let name = variableName() {
                operand = variable(name)
            } else {
                throw Diagnosed(
                    error(
                        .badPlaceholder, "expected a number or a variable, found \(nextText)",
                        at: nextToken
                    ).help("write a sum like {{users + invisible - 1}}"))
            }
            terms.append(Placeholder.Term(isNegative: isNegative, operand: operand))
            skipSpaces()
        }
        return terms
    }

    /// Parses a dotted name such as `server.host`. Returns nil if no name comes next.
    private mutating func variableName() -> Name? {
        let start = at
        guard name() != nil else { return nil }
        while peek() == UInt8(ascii: "."), peek(1)?.isNameStart == true {
            at += 1
            _ = name()
        }
        return Name(text(start, at), range: range(from: start))
    }

    /// Returns the name if it can be captured. Names with a predefined meaning cannot.
    private func capturable(_ name: Name) throws(Diagnosed) -> String {
        let reserved = ["_", "self", "nonce", "end", "length"]
        if reserved.contains(name.text) || name.text.contains(".") {
            throw Diagnosed(
                error(
                    .reservedName, "`\(name.text)` cannot be captured", at: name.range,
                    label: "reserved name"))
        }
        return name.text
    }

    private mutating func typedPlaceholder(_ name: Name) throws(Diagnosed) -> Placeholder.Kind {
        let target = name.text == "_" ? nil : try capturable(name)
        if peek() == UInt8(ascii: "/") {
            return .regex(name: target, expression: try regex())
        }
        let found = nextText
        let position = nextToken
        let word = self.name()
        if let word, let type = Placeholder.ValueType(rawValue: word.text) {
            return .typed(name: target, type: type)
        }
        let known = Placeholder.ValueType.allCases.map(\.rawValue)
        let fault = error(
            .badPlaceholder,
            word.map { "`\($0.text)` is not a value type" }
                ?? "expected a value type, found \(found)",
            at: word?.range ?? position)
        if let suggestion = word.flatMap({ didYouMean($0.text, among: known) }) {
            throw Diagnosed(fault.help("did you mean `\(suggestion)`?"))
        }
        let types = known.joined(separator: ", ")
        throw Diagnosed(
            fault.help("types are \(types); write a regular expression between slashes: /[a-z]+/"))
    }

    private mutating func bytesPlaceholder() throws(Diagnosed) -> Placeholder.Kind {
        let start = at
        let text = try plainString()
        skipSpaces()
        guard skip("*") else { return .bytes(text, count: 1) }
        skipSpaces()
        let position = nextWord
        guard let count = digits(), count <= ScenarioLimits.repeatedBytesMax,
            count * text.count <= ScenarioLimits.repeatedBytesMax
        else {
            let most = ScenarioLimits.repeatedBytesMax
            throw Diagnosed(
                error(
                    .badNumber, "expected a repeat count",
                    at: position.count == 0 ? range(from: start) : position
                ).help("use a whole number; the repeated text is limited to \(most) bytes"))
        }
        return .bytes(text, count: count)
    }

    /// Parses a non-negative integer; nil if there is none or it has more than 18 digits.
    mutating func digits() -> Int? {
        let start = at
        while peek()?.isDigit == true { at += 1 }
        return at - start <= 18 ? Int(text(start, at)) : nil
    }
}

// MARK: - Regular expressions

extension LineCursor {
    /// Parses a regular expression. The cursor must be at its opening slash.
    private mutating func regex() throws(Diagnosed) -> RegularExpression {
        let start = at
        at += 1
        var expression: [UInt8] = []
        while let byte = peek(), byte != UInt8(ascii: "/") {
            if byte == UInt8(ascii: "\\"), let next = peek(1) {
                if next != UInt8(ascii: "/") { expression.append(byte) }
                expression.append(next)
                at += 2
            } else {
                expression.append(byte)
                at += 1
            }
        }
        guard skip("/") else {
            throw Diagnosed(
                error(
                    .badRegex, "unclosed regular expression",
                    at: range(start, start + 1), label: "opened here"
                ).help("close it with `/`; write a slash inside it as `\\/`"))
        }
        let text = String(decoding: expression, as: UTF8.self)
        let bytesMax = ScenarioLimits.regexBytesMax
        let reason: String
        if text.isEmpty {
            reason = "it is empty"
        } else if text.utf8.count > bytesMax {
            reason = "it is longer than \(bytesMax) bytes"
        } else {
            do {
                return try RegularExpression(text)
            } catch {
                reason = error.description
            }
        }
        throw Diagnosed(
            error(
                .badRegex, "invalid regular expression", at: range(from: start), label: reason))
    }
}
