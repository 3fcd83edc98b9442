import Diagnostics

/// Keywords of the clauses that may follow wire text after two spaces.
enum StepClause: String, CaseIterable {
    case payload
    case within
    case `for`
    case reply
}

/// The clauses of a step.
struct Clauses {
    var payload: Template?
    var window: Window?
    /// True if a `reply` clause was found. The cursor is then after its arrow.
    var hasReply = false
}

extension LineCursor {
    /// Returns the clause that starts at an offset. Returns nil unless there is a keyword followed
    /// by the start of its value.
    func clause(at offset: Int) -> StepClause? {
        var cursor = self
        cursor.at = offset
        guard let word = cursor.name(), let clause = StepClause(rawValue: word.text) else {
            return nil
        }
        cursor.skipSpaces()
        switch clause {
        case .payload: return cursor.peek() == UInt8(ascii: "\"") ? clause : nil
        case .within, .for: return cursor.peek()?.isDigit == true ? clause : nil
        case .reply: return cursor.starts(with: "->") ? clause : nil
        }
    }

    /// Parses clauses up to a comment, the end of the line, or `reply ->`.
    mutating func clauses(
        _ allowed: [StepClause], use: TemplateUse, of what: String
    ) throws(Diagnosed) -> Clauses {
        var clauses = Clauses()
        var seen: [StepClause] = []
        while !isDone {
            skipSpaces()
            let start = at
            guard let word = name(), let clause = StepClause(rawValue: word.text) else {
                at = start
                throw unexpected()
            }
            if !allowed.contains(clause) || seen.contains(clause) {
                let again = seen.contains(clause) && allowed.contains(clause)
                let message =
                    again
                    ? "`\(clause)` is given twice" : "\(what) cannot have a `\(clause)` clause"
                throw Diagnosed(
                    error(.misplacedClause, message, at: word.range)
                        .help(
                            "to send it as text, put an empty placeholder in front: {{\"\"}}\(clause)"
                        ))
            }
            seen.append(clause)
            switch clause {
            case .payload: clauses.payload = try payload(use)
            case .within: clauses.window = try window(from: start)
            case .for: clauses.window = Window(latest: try duration(), range: range(from: start))
            case .reply:
                try replyArrow()
                clauses.hasReply = true
                return clauses
            }
        }
        return clauses
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
