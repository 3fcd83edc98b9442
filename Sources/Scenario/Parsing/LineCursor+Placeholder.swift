import Diagnostics
import _StringProcessing

extension LineCursor {
    /// A placeholder. The next bytes are its braces.
    mutating func placeholder(_ use: TemplateUse) throws(Diagnosed) -> Placeholder {
        let start = at
        at += 2
        skipBlanks()
        let kind = try holeKind(start, use)
        skipBlanks()
        guard skip("}}") else { throw unclosedPlaceholder(start) }
        let placeholder = Placeholder(kind, range: range(from: start))
        if use == .send { try checkSendable(placeholder) }
        return placeholder
    }

    private func unclosedPlaceholder(_ start: Int) -> Diagnosed {
        let rest = bytes[at..<end]
        let closes = zip(rest, rest.dropFirst()).contains { pair in
            pair.0 == UInt8(ascii: "}") && pair.1 == UInt8(ascii: "}")
        }
        if closes {
            return Diagnosed(
                error(.badPlaceholder, "expected `}}`, found \(nextText)", at: nextToken)
                    .help(Self.holeHelp))
        }
        return Diagnosed(
            error(
                .unclosedPlaceholder, "a placeholder is not closed", at: range(start, start + 2),
                label: "opened here"
            ).help("a placeholder ends with `}}`; two braces as text are written `{{\"{{\"}}`"))
    }

    private static let holeHelp =
        "placeholders are {{name}}, {{name:int}}, {{name:/REGEX/}}, {{_}}, {{...}}, {{name...}}, {{end}}, "
        + "{{\"text\"}}, {{\"x\" * 3}}, {{length}}, {{env.NAME}}"

    private mutating func holeKind(_ start: Int, _ use: TemplateUse) throws(Diagnosed)
        -> Placeholder.Kind
    {
        switch peek() {
        case UInt8(ascii: "\""): return try bytesHole()
        case UInt8(ascii: "/"): return .regex(name: nil, expression: try regex())
        case UInt8(ascii: ".") where skip("..."): return .rest(name: nil)
        default: break
        }
        guard let name = variableName() else {
            if isAtEnd { throw unclosedPlaceholder(start) }
            let isEmpty = starts(with: "}}")
            let message =
                isEmpty ? "a placeholder is empty" : "a placeholder cannot begin with \(nextText)"
            let place = isEmpty ? range(start, at + 2) : nextToken
            throw Diagnosed(error(.badPlaceholder, message, at: place).help(Self.holeHelp))
        }
        if skip("...") { return .rest(name: try capturable(name)) }
        if skip(":") { return try typedHole(name) }
        if name.text == "_" { return .anything }
        if name.text == "end" { return .end }
        if name.text == "length" { return .length }
        if name.text.hasPrefix("env.") { return .environment(String(name.text.dropFirst(4))) }
        return .variable(name.text)
    }

    /// A name with parts: `server.host`.
    private mutating func variableName() -> Name? {
        let start = at
        guard name() != nil else { return nil }
        while peek() == UInt8(ascii: "."), peek(1)?.isNameStart == true {
            at += 1
            _ = name()
        }
        return Name(text(start, at), range: range(from: start))
    }

    /// Names that always have a value, or are no variables at all.
    private func capturable(_ name: Name) throws(Diagnosed) -> String {
        let reserved = ["_", "self", "nonce", "end", "length"]
        if reserved.contains(name.text) || name.text.contains(".") {
            throw Diagnosed(
                error(
                    .reservedName, "`\(name.text)` cannot be captured into", at: name.range,
                    label: "has a meaning of its own"))
        }
        return name.text
    }

    private mutating func typedHole(_ name: Name) throws(Diagnosed) -> Placeholder.Kind {
        let target = name.text == "_" ? nil : try capturable(name)
        if peek() == UInt8(ascii: "/") {
            return .regex(name: target, expression: try regex())
        }
        let found = nextText
        let place = nextToken
        let word = self.name()
        if let word, let type = Placeholder.ValueType(rawValue: word.text) {
            return .typed(name: target, type: type)
        }
        let known = Placeholder.ValueType.allCases.map(\.rawValue)
        let fault = error(
            .badPlaceholder,
            word.map { "`\($0.text)` is not a type of value" }
                ?? "expected a type of value, found \(found)",
            at: word?.range ?? place)
        if let meant = word.flatMap({ didYouMean($0.text, among: known) }) {
            throw Diagnosed(fault.help("did you mean `\(meant)`?"))
        }
        let types = known.joined(separator: ", ")
        throw Diagnosed(
            fault.help("types are \(types); a regular expression stands in slashes: /[a-z]+/"))
    }

    private mutating func bytesHole() throws(Diagnosed) -> Placeholder.Kind {
        let start = at
        let text = try plainString()
        skipBlanks()
        guard skip("*") else { return .bytes(text, count: 1) }
        skipBlanks()
        let place = nextWord
        guard let count = digits(), count <= ScenarioLimits.repeatedBytesMax,
            count * text.count <= ScenarioLimits.repeatedBytesMax
        else {
            let most = ScenarioLimits.repeatedBytesMax
            throw Diagnosed(
                error(
                    .badNumber, "expected how often the text is repeated",
                    at: place.count == 0 ? range(from: start) : place
                ).help("a whole number; all together at most \(most) bytes"))
        }
        return .bytes(text, count: count)
    }

    /// A whole number that is not negative; nil where there is none or it is out of all bounds.
    mutating func digits() -> Int? {
        let start = at
        while peek()?.isDigit == true { at += 1 }
        return at - start <= 18 ? Int(text(start, at)) : nil
    }

    private func checkSendable(_ placeholder: Placeholder) throws(Diagnosed) {
        switch placeholder.kind {
        case .variable, .bytes, .length, .environment, .typed(name: .some, _): return
        case .typed, .regex, .anything, .rest, .end: break
        }
        throw Diagnosed(
            error(
                .misplacedHole, "this placeholder only makes sense where something is expected",
                at: placeholder.range, label: "cannot be sent"
            ).help(
                "what is sent is a variable {{name}}, bytes {{\"…\"}}, {{length}} or {{env.NAME}}"))
    }
}

// MARK: - Regular expressions

extension LineCursor {
    /// A regular expression. The next byte is its slash.
    private mutating func regex() throws(Diagnosed) -> String {
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
                    .badRegex, "a regular expression is not closed by `/`",
                    at: range(start, start + 1), label: "opened here"
                ).help("a slash inside it is written `\\/`"))
        }
        let text = String(decoding: expression, as: UTF8.self)
        if let reason = Self.whyNotRegex(text) {
            throw Diagnosed(
                error(
                    .badRegex, "this is not a regular expression", at: range(from: start),
                    label: reason))
        }
        return text
    }

    private static func whyNotRegex(_ expression: String) -> String? {
        if expression.isEmpty { return "it is empty" }
        let bytesMax = ScenarioLimits.regexBytesMax
        if expression.utf8.count > bytesMax { return "longer than \(bytesMax) bytes" }
        if isTooDeep(expression) {
            return "more than \(ScenarioLimits.regexDepthMax) groups inside each other"
        }
        do {
            _ = try Regex(expression)
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// Counted on its own, since the engine goes down one call for each group.
    private static func isTooDeep(_ expression: String) -> Bool {
        var depth = 0
        var isEscaped = false
        for byte in expression.utf8 {
            defer { isEscaped = byte == UInt8(ascii: "\\") && !isEscaped }
            if isEscaped { continue }
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): depth = max(0, depth - 1)
            default: continue
            }
            if depth > ScenarioLimits.regexDepthMax { return true }
        }
        return false
    }
}
