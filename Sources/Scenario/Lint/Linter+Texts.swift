import Diagnostics

extension Linter {
    /// Reports wire text and time limits that are probably not what the author meant: text that
    /// ends in what looks like a modifier, control bytes, regular expressions, and `<!` or `quiet`
    /// steps with a time limit.
    mutating func checkTexts() {
        for step in flattened {
            checkClock(step)
            for (template, isExpected) in wireTexts(of: step) {
                checkControlBytes(template)
                checkAlmostModifier(template, isExpected: isExpected)
            }
            if let pattern = step.pattern { checkExpressions(pattern) }
        }
    }

    /// All steps, including steps inside blocks.
    var flattened: [Step] {
        var all: [Step] = []
        everyStep.walk { all.append($0) }
        return all
    }

    private func wireTexts(of step: Step) -> [(Template, isExpected: Bool)] {
        var texts: [(Template, Bool)] = []
        if case .wire(let text, _) = step.message { texts.append((text, false)) }
        if case .wire(let text, _) = step.pattern {
            let isExpected = if case .expect = step.kind { true } else { false }
            texts.append((text, isExpected))
        }
        return texts
    }

    private mutating func checkClock(_ step: Step) {
        let window: Window?
        switch step.kind {
        case .quiet(let found): window = found
        case .expect(let expectation) where expectation.mode == .never: window = expectation.window
        default: window = nil
        }
        guard let window else { return }
        report(
            .fixedWait,
            "this step waits for a fixed time instead of an answer from the server",
            severity: .note, at: window.range,
            help:
                "without `for`, the step ends as soon as the server has answered a probe")
    }

    private mutating func checkControlBytes(_ template: Template) {
        for case .literal(let literal) in template.pieces {
            guard
                let index = literal.bytes.firstIndex(where: {
                    $0 < 0x20 && !$0.isSpace || $0 == 0x7F
                })
            else { continue }
            let start = literal.range.start + index
            let shown = ScenarioSpelling.wireText([literal.bytes[index]])
            report(
                .rawControl, "the text contains a control character",
                at: SourceRange(start: start, end: start + 1), help: "write it as \(shown)")
        }
    }

    /// Reports lines such as `alice <- 001 within 2s`. The modifier follows a single space, so it is
    /// part of the text.
    private mutating func checkAlmostModifier(_ template: Template, isExpected: Bool) {
        guard case .literal(let literal) = template.pieces.last else { return }
        let words = Self.lastWords(of: literal)
        guard words.count == 2, let modifier = StepModifier(rawValue: words[0].text) else { return }
        let opensModifier =
            switch modifier {
            case .within, .for: isExpected && words[1].text.utf8.first?.isDigit == true
            case .payload: words[1].text.hasPrefix("\"")
            case .reply: false
            }
        let isAfterGap = words[0].spaces >= 2 && isExpected
        guard opensModifier || isAfterGap else { return }
        let help =
            isAfterGap
            ? "modifiers are `within 2s`, `for 500ms` or `payload \"…\"`"
            : "write two spaces before a modifier; if this is text, write `{{\"\"}}\(modifier)`"
        report(
            .almostModifier, "`\(words[0].text) \(words[1].text)` is part of the text here",
            at: words[0].range.joined(with: words[1].range), help: help)
    }

    /// Reports lines such as `alice <- 001 /^Hel+o/`, where the expression is compared as plain
    /// text.
    private mutating func checkExpressions(_ pattern: Pattern) {
        var templates: [Template] = []
        switch pattern {
        case .wire(let text, let payload): templates = [text] + [payload].compactMap(\.self)
        case .typed(let call):
            templates = call.arguments.compactMap { argument in
                if case .string(let text) = argument.value.kind { text } else { nil }
            }
        case .raw: break
        }
        for template in templates {
            for case .literal(let literal) in template.pieces { checkExpressions(literal) }
        }
    }

    private mutating func checkExpressions(_ literal: Template.Literal) {
        // If a string contains escapes, offsets in the source and in the bytes differ.
        guard literal.bytes.count == literal.range.count else { return }
        for word in literal.bytes.split(separator: UInt8(ascii: " ")) {
            guard Self.looksLikeExpression(word) else { continue }
            let text = String(decoding: word, as: UTF8.self)
            report(
                .literalExpression, "`\(text)` is compared literally, including the slashes",
                at: SourceRange(
                    start: literal.range.start + word.startIndex,
                    end: literal.range.start + word.endIndex),
                help: "a regular expression is a placeholder: {{\(text)}}")
        }
    }

    /// Returns true for `/…/` with a regular expression metacharacter between the slashes.
    private static func looksLikeExpression(_ word: ArraySlice<UInt8>) -> Bool {
        let slash = UInt8(ascii: "/")
        guard word.count > 2, word.first == slash, word.last == slash else { return false }
        let inside = word.dropFirst().dropLast()
        return !inside.contains(slash) && inside.contains { "^$*+?[(|\\".utf8.contains($0) }
    }

    private struct Word {
        var text: String
        var range: SourceRange
        /// Number of spaces before the word.
        var spaces: Int
    }

    /// Returns the last two words of a literal if each follows a space; otherwise an empty array.
    private static func lastWords(of literal: Template.Literal) -> [Word] {
        let bytes = literal.bytes
        // Wire text has no escapes, so the literal's bytes are the same as in the source.
        var words: [Word] = []
        var end = bytes.count
        while words.count < 2 {
            let start = bytes[..<end].lastIndex(where: \.isSpace).map { $0 + 1 } ?? 0
            guard start > 0, start < end else { return [] }
            let before = bytes[..<start].lastIndex { !$0.isSpace }.map { $0 + 1 } ?? 0
            let range = SourceRange(
                start: literal.range.start + start, end: literal.range.start + end)
            let text = String(decoding: bytes[start..<end], as: UTF8.self)
            words.insert(Word(text: text, range: range, spaces: start - before), at: 0)
            end = before
        }
        return words
    }
}
