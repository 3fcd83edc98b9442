import Diagnostics

/// Keywords of the modifiers that may follow wire text after two spaces.
enum StepModifier: String, CaseIterable {
    case payload
    case within
    case `for`
    case reply
}

/// The modifiers of a step.
struct Modifiers {
    var payload: Template?
    var window: Window?
    /// True if a `reply` modifier was found. The cursor is then after its arrow.
    var hasReply = false
}

extension LineCursor {
    /// Returns the modifier that starts at an offset. Returns nil unless there is a keyword followed
    /// by the start of its value.
    func modifier(at offset: Int) -> StepModifier? {
        var cursor = self
        cursor.at = offset
        guard let word = cursor.name(), let modifier = StepModifier(rawValue: word.text) else {
            return nil
        }
        cursor.skipSpaces()
        switch modifier {
        case .payload: return cursor.peek() == UInt8(ascii: "\"") ? modifier : nil
        case .within, .for: return cursor.peek()?.isDigit == true ? modifier : nil
        case .reply: return cursor.starts(with: "->") ? modifier : nil
        }
    }

    /// Parses modifiers up to a comment, the end of the line, or `reply ->`.
    mutating func modifiers(
        _ allowed: [StepModifier], use: TemplateUse, of what: String
    ) throws(Diagnosed) -> Modifiers {
        var modifiers = Modifiers()
        var seen: [StepModifier] = []
        while !isDone {
            skipSpaces()
            let start = at
            guard let word = name(), let modifier = StepModifier(rawValue: word.text) else {
                at = start
                throw unexpected()
            }
            if !allowed.contains(modifier) || seen.contains(modifier) {
                let again = seen.contains(modifier) && allowed.contains(modifier)
                let message =
                    again
                    ? "`\(modifier)` is given twice"
                    : "\(what) cannot have a `\(modifier)` modifier"
                throw Diagnosed(
                    error(.misplacedModifier, message, at: word.range)
                        .help(
                            "to send it as text, put an empty placeholder in front: {{\"\"}}\(modifier)"
                        ))
            }
            seen.append(modifier)
            switch modifier {
            case .payload: modifiers.payload = try payload(use)
            case .within: modifiers.window = try window(from: start)
            case .for: modifiers.window = Window(latest: try duration(), range: range(from: start))
            case .reply:
                try replyArrow()
                modifiers.hasReply = true
                return modifiers
            }
        }
        return modifiers
    }

    private mutating func payload(_ use: TemplateUse) throws(Diagnosed) -> Template {
        skipSpaces()
        guard peek() == UInt8(ascii: "\"") else {
            throw Diagnosed(
                error(
                    .missingText, "expected a quoted string, found \(nextText)", at: nextToken))
        }
        return try string(use)
    }

    private mutating func replyArrow() throws(Diagnosed) {
        skipSpaces()
        guard skip("->") else {
            throw Diagnosed(
                error(.missingArrow, "expected `->`, found \(nextText)", at: nextToken))
        }
    }

    /// Returns an error that reports the next token as unexpected.
    func unexpected(_ what: String = "the end of the line") -> Diagnosed {
        var cursor = self
        cursor.skipSpaces()
        return Diagnosed(
            error(
                .unexpectedText, "expected \(what), found \(cursor.nextText)",
                at: cursor.nextToken))
    }
}
